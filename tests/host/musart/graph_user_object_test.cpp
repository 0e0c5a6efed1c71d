#include "tests/host/musart/graph_support.h"

namespace {

class GraphUserObjects : public GraphTest {
 protected:
  void SetUp() override {
    GraphTest::SetUp();
    ASSERT_OK(
        musaUserObjectCreate(&object_, &destroyed_, count, 1, musaUserObjectNoDestructorSync));
  }
  static void count(void* data) { ++*static_cast<std::atomic<int>*>(data); }
  std::atomic<int> destroyed_{0};
  musaUserObject_t object_ = nullptr;
};

TEST_F(GraphUserObjects, musaUserObjectCreate_checks_its_arguments) {
  EXPECT_OK(musaUserObjectRelease(object_, 1));
  EXPECT_EQ(1, destroyed_);
  musaUserObject_t object = nullptr;
  const auto create = [&](musaUserObject_t* out, musaHostFn_t destroy, unsigned int references,
                          unsigned int flags) {
    return musaUserObjectCreate(out, nullptr, destroy, references, flags);
  };
  EXPECT_ERROR(musaErrorInvalidValue, create(nullptr, count, 1, musaUserObjectNoDestructorSync));
  EXPECT_ERROR(musaErrorInvalidValue, create(&object, nullptr, 1, musaUserObjectNoDestructorSync));
  EXPECT_ERROR(musaErrorInvalidValue, create(&object, count, 0, musaUserObjectNoDestructorSync));
  EXPECT_ERROR(musaErrorInvalidValue, create(&object, count, 1, 0));
  EXPECT_EQ(nullptr, object);
}

TEST_F(GraphUserObjects, musaUserObjectRetain_adds_references) {
  ASSERT_OK(musaUserObjectRetain(object_, 2));
  ASSERT_OK(musaUserObjectRelease(object_, 2));
  EXPECT_EQ(0, destroyed_);
  ASSERT_OK(musaUserObjectRelease(object_, 1));
  EXPECT_EQ(1, destroyed_);
  EXPECT_ERROR(musaErrorInvalidValue, musaUserObjectRetain(object_, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaUserObjectRetain(nullptr, 1));
}

TEST_F(GraphUserObjects, musaUserObjectRelease_refuses_what_is_not_owned) {
  EXPECT_ERROR(musaErrorInvalidValue, musaUserObjectRelease(object_, 2));
  EXPECT_ERROR(musaErrorInvalidValue, musaUserObjectRelease(object_, 0));
  EXPECT_OK(musaUserObjectRelease(object_, 1));
  EXPECT_EQ(1, destroyed_);
  EXPECT_ERROR(musaErrorInvalidValue, musaUserObjectRelease(object_, 1));
}

TEST_F(GraphUserObjects, musaGraphRetainUserObject_lives_as_long_as_graphs_and_launches) {
  ASSERT_OK(musaGraphRetainUserObject(graph_, object_, 1, musaGraphUserObjectMove));
  EXPECT_ERROR(musaErrorInvalidValue, musaUserObjectRelease(object_, 1));
  add_note(1);
  musaGraph_t copy = nullptr;
  ASSERT_OK(musaGraphClone(&copy, graph_));
  musaGraphExec_t exec = instantiate();
  ASSERT_OK(musaGraphDestroy(graph_));
  graph_ = nullptr;
  ASSERT_OK(musaGraphDestroy(copy));
  EXPECT_EQ(0, destroyed_);
  Barrier barrier;
  barrier.hold(stream_);
  ASSERT_OK(musaGraphLaunch(exec, stream_));
  ASSERT_OK(musaGraphExecDestroy(exec));
  EXPECT_EQ(0, destroyed_);
  barrier.open();
  ASSERT_OK(musaStreamSynchronize(stream_));
  EXPECT_EQ(1, destroyed_);
}

TEST_F(GraphUserObjects, musaGraphRetainUserObject_adds_references) {
  ASSERT_OK(musaGraphRetainUserObject(graph_, object_, 1, 0));
  ASSERT_OK(musaUserObjectRelease(object_, 1));
  EXPECT_EQ(0, destroyed_);
  // The handle stays valid while anything refers to the object.
  EXPECT_OK(musaUserObjectRetain(object_, 1));
  EXPECT_OK(musaUserObjectRelease(object_, 1));
  EXPECT_ERROR(musaErrorInvalidValue,
               musaGraphRetainUserObject(graph_, object_, 1, musaGraphUserObjectMove));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphRetainUserObject(graph_, object_, 0, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphRetainUserObject(graph_, object_, 1, 8));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphRetainUserObject(no_graph(), object_, 1, 0));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphRetainUserObject(graph_, nullptr, 1, 0));
  ASSERT_OK(musaGraphDestroy(graph_));
  graph_ = nullptr;
  EXPECT_EQ(1, destroyed_);
}

TEST_F(GraphUserObjects, musaGraphReleaseUserObject_takes_references_away) {
  ASSERT_OK(musaGraphRetainUserObject(graph_, object_, 2, 0));
  ASSERT_OK(musaUserObjectRelease(object_, 1));
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphReleaseUserObject(graph_, object_, 3));
  ASSERT_OK(musaGraphReleaseUserObject(graph_, object_, 1));
  EXPECT_EQ(0, destroyed_);
  ASSERT_OK(musaGraphReleaseUserObject(graph_, object_, 1));
  EXPECT_EQ(1, destroyed_);
  EXPECT_ERROR(musaErrorInvalidValue, musaGraphReleaseUserObject(graph_, object_, 1));
}

}  // namespace
