"""What is watched goes on, by a step or by steps to its end."""


def step(session, goal):
    session.begin_step()
    while not session.step(goal):
        pass


def run_out(session, goal):
    while not session.has_ended:
        step(session, goal)
        yield session
