"""hashcat: passwords of hashes that Python made, found by its own kernels, which it compiles by NVRTC; by masks, by
words and by rules, of nine kinds of hashes."""
import base64
import ctypes
import glob
import hashlib
import hmac
import os
import shutil

from client_steps import equal, main, step
from programs import below, output_of

# It would take devices of OpenCL as well.
OPTIONS = ["--backend-ignore-opencl", "--potfile-disable", "--restore-disable", "--logfile-disable", "--quiet"]
WORDS = ["alpha", "sesame", "dragon", "Zebra"]


@step("load")
def load():
    """It looks for its data beside itself, if it was not started from /usr/bin."""
    os.mkdir("hashcat")
    program = os.path.abspath(shutil.copy(below("usr/bin/hashcat"), "hashcat"))
    for path in glob.glob(below("usr/share/hashcat/*")):
        os.symlink(path, os.path.join("hashcat", os.path.basename(path)))
    equal(output_of(program, "--version"), b"v6.2.6\n")
    with open("words", "w", encoding="utf-8") as file:
        file.write("\n".join(WORDS) + "\n")
    return program


@step("query")
def device(load):
    lines = output_of(load, "--backend-ignore-opencl", "-I").decode().splitlines()
    told = dict(line.strip().replace(".", "").split(": ", 1) for line in lines if ": " in line)
    runtime, there = ctypes.CDLL("libcudart.so.12"), ctypes.c_int()
    equal(runtime.cudaDeviceGetAttribute(ctypes.byref(there), 16, 0), 0)
    equal(told["Processor(s)"], str(there.value))
    equal(told["MemoryTotal"], "2048 MB")
    equal([line for line in lines if "Backend Device ID" in line], ["Backend Device ID #1"])


def finds(program, mode, passwords, *attack):
    """That it finds just these: {hash: password}"""
    with open("hashes", "w", encoding="utf-8") as file:
        file.write("\n".join(passwords) + "\n")
    output_of(program, *OPTIONS, "-m", str(mode), "-o", "found", "hashes", *attack)
    with open("found", encoding="utf-8") as file:
        lines = file.read().splitlines()
    os.remove("found")
    equal(sorted(lines), sorted(f"{one}:{password}" for one, password in passwords.items()))


def by_mask(program, mode, function):
    finds(program, mode, {function(word.encode()): word for word in ("hello", "helio")}, "-a", "3", "hel?l?l")


def by_words(program, mode, function, words=("sesame", "dragon")):
    finds(program, mode, {function(word.encode()): word for word in words}, "-a", "0", "words")


def hexadecimal(name):
    return lambda text: hashlib.new(name, text).hexdigest()


@step("kernel")
def md5(load):
    by_mask(load, 0, hexadecimal("md5"))


@step("kernel")
def sha1(load):
    by_mask(load, 100, hexadecimal("sha1"))


@step("kernel")
def sha256(load):
    by_mask(load, 1400, hexadecimal("sha256"))


@step("kernel")
def sha256_optimized(load):
    """By other kernels, which are limited to short passwords."""
    finds(load, 1400, {hexadecimal("sha256")(b"help"): "help"}, "-a", "3", "-O", "he?l?l")


@step("kernel")
def ntlm(load):
    """MD4 of UTF-16, which newer libraries of TLS have no more: a hash that is known."""
    finds(load, 1000, {"8846f7eaee8fb117ad06bdd830b7586c": "password"}, "-a", "3", "passwor?l")


@step("kernel")
def salted_md5(load):
    by_words(load, 10, lambda text: hashlib.md5(text + b"4711").hexdigest() + ":4711")


@step("kernel")
def sha512_with_rules(load):
    """Each word as it is, with two digits, and with a capital."""
    with open("rules", "w", encoding="utf-8") as file:
        file.write(":\n$1$2\nc\n")
    function = hexadecimal("sha512")
    finds(load, 1700, {function(word.encode()): word for word in ("alpha", "dragon12", "Sesame")},
          "-a", "0", "-r", "rules", "words")


@step("kernel")
def hmac_sha256(load):
    by_words(load, 1450, lambda text: hmac.new(text, b"message", "sha256").hexdigest() + ":message")


@step("kernel")
def pbkdf2(load):
    """A thousand rounds, in several launches of a kernel."""
    def function(text):
        made = hashlib.pbkdf2_hmac("sha256", text, b"salt", 1000)
        return ":".join(["sha256:1000", *(base64.b64encode(part).decode() for part in (b"salt", made))])
    by_words(load, 10900, function)


@step("kernel")
def absent_password(load):
    """It has tried all and found none: status 1."""
    with open("hashes", "w", encoding="utf-8") as file:
        file.write(hexadecimal("md5")(b"elephant") + "\n")
    try:
        output_of(load, *OPTIONS, "-m", "0", "-a", "0", "hashes", "words")
    except OSError as error:
        equal("status 1:" in str(error), True, str(error))
    else:
        raise AssertionError("it found something")


main()
