"""Refused memory in a session, drmaa_misc(3) DRMAA_ERRNO_NO_MEMORY: a call fails, and has changed nothing, and the session goes on."""


def test_a_session_survives_the_refusal_of_any_allocation(any_cell):
    """Each in turn, also those of the session's thread; no job comes twice, no end is lost, no descriptor and no thread is left."""
    quiet = {"ASAN_OPTIONS": "allocator_may_return_null=1:detect_leaks=0"}  # what such a call had allocated is lost
    allocations = int(any_cell.ok(any_cell.test_program("drmaa_memory"), 0, 1, timeout=600, env=quiet))
    assert allocations > 500
    assert not any_cell.states()
