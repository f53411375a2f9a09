"""The faults of a FaultPlay, by name. Each is caused in a whole house: one node is the writer, the
other one its standby, three members of etcd answer. A fault may end nodes and members, and leave
cuts and rulings; FaultPlay.heal() repairs them.

`TAKEOVERS`: the other node becomes the writer. `OTHERS`: it may, or not.
"""

import base64
import errno
import itertools
import os
import shutil
import signal

from fault_network import FLOOR

BEYOND_LEASE_S = 2.5


# --- processes ---

def writer_killed(play):
    play.node(play.writer).kill()
    play.await_other_writer()


def writer_ended(play):
    play.node(play.writer).stop()
    play.await_other_writer()


def writer_stopped(play):
    """It stands still beyond its lease, and wakes after another node has written."""
    stopped = play.node(play.writer)
    os.kill(stopped.pid, signal.SIGSTOP)
    try:
        play.await_other_writer()
        play.play_on()
    finally:
        os.kill(stopped.pid, signal.SIGCONT)
    play.await_end_of(play.writer)


def handover(play):
    asked = play.house.tool(play.writer, "handover", "--to", play.standby)
    if asked.returncode == 0:
        play.await_other_writer()


def both_writers_killed(play):
    """The standby takes over and is killed at once; both come back."""
    play.node(play.writer).kill()
    play.await_other_writer()
    play.node(play.standby).kill()


def both_killed(play):
    play.node(play.writer).kill()
    play.node(play.standby).kill()


def standby_killed(play):
    play.node(play.standby).kill()
    play.play_on()


def standby_stopped(play):
    os.kill(play.node(play.standby).pid, signal.SIGSTOP)
    play.play_on(BEYOND_LEASE_S)
    os.kill(play.node(play.standby).pid, signal.SIGCONT)


# --- etcd ---

def member_killed(play):
    play.kill_members(1)
    play.play_on()


def members_killed_in_turn(play):
    for member in play.random.sample(range(3), 3):
        play.members.kill_member(member)
        play.play_on()
        play.members.restart_member(member)
        play.members.await_healthy()


def member_stopped(play):
    member = play.random.randrange(3)
    play.members.pause_member(member)
    play.play_on(play.random.uniform(0.5, BEYOND_LEASE_S))
    play.members.resume_member(member)


def quorum_lost(play):
    play.kill_members(2)
    play.play_on(play.random.uniform(0.5, 4))


def all_members_killed(play):
    play.kill_members(3)
    play.play_on()


# --- the network ---

def cut_both(play, ones, others):
    for one, other in itertools.product(ones, others):
        play.network.cut(one, other)
        play.network.cut(other, one)


def writer_cut_off_etcd(play):
    cut_both(play, [play.writer], play.members.names)
    play.await_other_writer()


def writer_sends_nothing_to_etcd(play):
    for member in play.members.names:
        play.network.cut(play.writer, member)
    play.await_other_writer()


def etcd_answers_do_not_come(play):
    """What the writer sends is done, and it does not learn it."""
    for member in play.members.names:
        play.network.cut(member, play.writer)
    play.await_other_writer()


def writer_in_the_smaller_half(play):
    one, *two = play.random.sample(play.members.names, 3)
    cut_both(play, [play.writer, one], [play.standby, *two])
    play.await_other_writer()


def standby_in_the_smaller_half(play):
    one, *two = play.random.sample(play.members.names, 3)
    cut_both(play, [play.standby, one], [play.writer, *two])
    play.play_on(BEYOND_LEASE_S)


def standby_cut_off_etcd(play):
    cut_both(play, [play.standby], play.members.names)
    play.play_on(BEYOND_LEASE_S)


def node_cut_off_a_member(play):
    cut_both(play, [play.random.choice(play.house.names)], [play.random.choice(play.members.names)])
    play.play_on(BEYOND_LEASE_S)


def members_cut_apart(play):
    cut_both(play, *([one] for one in play.random.sample(play.members.names, 2)))
    play.play_on(BEYOND_LEASE_S)


def member_cut_off_all(play):
    member = play.random.choice(play.members.names)
    cut_both(play, [member], [name for name in play.network.addresses if name != member])
    play.play_on(BEYOND_LEASE_S)


def tables_cut_off_writer(play):
    cut_both(play, [FLOOR], [play.writer])
    play.play_on(1.5)


def tables_cut_off_all(play):
    cut_both(play, [FLOOR], play.house.names)
    play.play_on(1.5)


def random_cuts(play):
    """Some of the twenty ways between five machines, each in one direction."""
    ways = list(itertools.permutations([*play.members.names, *play.house.names], 2))
    for way in play.random.sample(ways, play.random.randint(1, 8)):
        play.network.cut(*way)
    play.play_on(play.random.uniform(0.5, 3))


# --- disks and clocks ---

def writer_disk_full(play):
    play.rule("disk", play.writer, errno.ENOSPC)
    play.await_end_of(play.writer)
    play.await_other_writer()


def writer_disk_fails(play):
    play.rule("disk", play.writer, -errno.EIO)
    play.await_end_of(play.writer)
    play.await_other_writer()


def standby_disk_full(play):
    play.rule("disk", play.standby, errno.ENOSPC)
    play.play_on(1)


def disk_slow(play):
    play.rule("disk", play.random.choice(play.house.names), play.random.randint(50_000, 700_000))
    play.play_on(BEYOND_LEASE_S)


def standby_disk_lost(play):
    """The standby's folder is gone; it is made again from a backup of the writer."""
    play.node(play.standby).kill()
    shutil.rmtree(play.house.data(play.standby))
    play.make_node(play.standby)


def clock_set(play):
    """The wall clock of a node is wrong until it is repaired."""
    seconds = play.random.choice((1, 5, 60, 900)) * play.random.choice((1, -1))
    play.rule("clock", play.random.choice(play.house.names), seconds * 1_000_000_000)
    play.play_on()


def clock_of_the_next_writer_set(play):
    seconds = play.random.choice((1, 5, 60, 900)) * play.random.choice((1, -1))
    play.rule("clock", play.standby, seconds * 1_000_000_000)
    play.node(play.writer).kill()
    play.await_other_writer()


# --- a node that is away ---

def compaction_while_a_node_is_away(play):
    """etcd forgets the revisions from which the node would watch."""
    play.node(play.standby).kill()
    play.play_on()
    _, found = play.ask_etcd("/v3/kv/range", {"key": base64.b64encode(b"\0").decode()})
    play.ask_etcd("/v3/kv/compaction", {"revision": found["header"]["revision"]})


def entries_deleted_while_a_node_is_away(play):
    """The node gets them from the other node."""
    play.node(play.standby).kill()
    play.play_on()
    play.house.delete_turns()
    play.await_caught_up()


def entries_deleted_while_a_node_is_cut_off(play):
    cut_both(play, [play.standby], play.members.names)
    play.play_on(1)
    play.house.delete_turns()
    play.await_caught_up()


TAKEOVERS = (writer_killed, writer_ended, writer_stopped, handover, both_writers_killed,
             writer_cut_off_etcd, writer_sends_nothing_to_etcd, etcd_answers_do_not_come,
             writer_in_the_smaller_half, writer_disk_full, writer_disk_fails,
             clock_of_the_next_writer_set)
OTHERS = (both_killed, standby_killed, standby_stopped, member_killed, members_killed_in_turn,
          member_stopped, quorum_lost, all_members_killed, standby_in_the_smaller_half,
          standby_cut_off_etcd, node_cut_off_a_member, members_cut_apart, member_cut_off_all,
          tables_cut_off_writer, tables_cut_off_all, random_cuts, standby_disk_full, disk_slow,
          standby_disk_lost, clock_set, compaction_while_a_node_is_away,
          entries_deleted_while_a_node_is_away, entries_deleted_while_a_node_is_cut_off)
