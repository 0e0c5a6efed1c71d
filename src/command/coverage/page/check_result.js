// Reads the JSON of torchada check. check_result.cpp does the same for the command line.

const kTop = "top level";
const kRemedy = "write it with torchada check --format=json";

function nameOfType(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return {object: "an object", string: "a string", number: "a number", boolean: "true or false"}[
      typeof value];
}

function demand(value, wanted, where) {
  const found = nameOfType(value);
  if (found !== wanted) throw new Error(`${where}: expected ${wanted}, found ${found}`);
}

// Whether `value` has what `members` (check_members.json) lists. Throws Error that says where not.
function demandMembers(value, members, where) {
  if (Array.isArray(members)) {
    demand(value, "a list", where);
    value.forEach((item, index) => demandMembers(item, members[0], `${where}[${index}]`));
  } else if (typeof members === "object") {
    demand(value, "an object", where);
    for (const [key, type] of Object.entries(members)) {
      const name = key.replace("?", "");
      const inside = where === kTop ? name : `${where}.${name}`;
      if (Object.hasOwn(value, name)) {
        demandMembers(value[name], type, inside);
      } else if (name === key) {
        throw new Error(`${inside}: not found`);
      }
    }
  } else if (!(members === "string or null" && value === null)) {
    demand(value, {"string": "a string", "string or null": "a string", "number": "a number",
                   "boolean": "true or false"}[members], where);
  }
}

// Throws Error with a message for the user.
function readCheckResult(text) {
  if (!text.trim()) throw new Error(`the text is empty; ${kRemedy}`);
  let out;
  try {
    out = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new Error(`not valid JSON (${error.message}); ${kRemedy}`);
  }
  try {
    demandMembers(out, embedded("check-members"), kTop);
  } catch (error) {
    throw new Error(`${error.message}; ${kRemedy}`);
  }
  return out;
}
