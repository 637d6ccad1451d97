"""What a host does that was taken over: hostile_host.py PAPERS QMASTER PORT ACT. It has the papers of the host, and sends over its one
connection to the qmaster what an honest relay never would (libs/comm/line.h has the frames). Prints "ended" when the qmaster ended the
connection, else how many frames came back."""
import socket
import ssl
import struct
import sys

OPEN, DATA, GRANT, END = 0xF0, 0xF1, 0xF2, 0xF3
WINDOW = 64 * 1024
HELLO, REQUEST = 1, 3


def frame(kind, line, body=b""):
    return struct.pack(">IIB3x", len(body), line, kind) + body


def opened(line, uid=20000, user=b"mallory", group=b"mallory", pid=7):
    return frame(OPEN, line, struct.pack(">III", uid, uid, pid) + user + b"\0" + group + b"\0")


def crowd():
    """Ten thousand users at once, each with a line of its own, which say nothing."""
    return [opened(number, 20000 + number, b"user%d" % number) for number in range(10000)]


def begun():
    """Each line begins a message of 40 MB and sends as much of it as a new line may."""
    head = frame(REQUEST, 7)[4:]
    part = struct.pack(">I", 40 << 20) + head
    return [opened(number) + frame(DATA, number, part + bytes(WINDOW - len(part))) for number in range(500)]


def rubbish():
    """On every line something that is not a greeting."""
    return [opened(number) + frame(DATA, number, b"GET / HTTP/1.0\r\n\r\n" * 100) for number in range(2000)]


def absent():
    """Frames for lines that are not there."""
    return [frame(DATA, number, b"x" * 100) + frame(GRANT, number, struct.pack(">I", 1)) + frame(END, number) for number in range(30000)]


def comings_and_goings():
    """Lines that are opened and ended at once."""
    return [opened(number) + frame(END, number) for number in range(30000)]


def beyond_the_window():
    return [opened(1), frame(DATA, 1, bytes(WINDOW + 1))]


def granted_beyond_count():
    return [opened(1), frame(GRANT, 1, b"\xff" * 4), frame(GRANT, 1, b"\xff" * 4)]


def opened_twice():
    return [opened(1), opened(1)]


def without_a_name():
    return [opened(1, user=b"")]


def a_name_that_rings():
    return [opened(1, user=b"root\x07")]


def a_name_without_end():
    return [frame(OPEN, 1, struct.pack(">III", 0, 0, 1) + b"root")]


def more_than_a_frame_may_have():
    return [struct.pack(">IIB3x", 1 << 30, 1, DATA)]


def connect(papers, qmaster, port):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(f"{papers}/authority.pem")
    context.load_cert_chain(f"{papers}/certificate.pem", f"{papers}/key.pem")
    return context.wrap_socket(socket.create_connection((qmaster, port)))


def count_frames(peer):
    """Those that come back until a second passes without one; None: the connection has ended."""
    buffer, count = b"", 0
    peer.settimeout(1)
    try:
        while part := peer.recv(1 << 16):
            buffer += part
            while len(buffer) >= 12 and len(buffer) >= 12 + (length := struct.unpack(">I", buffer[:4])[0]):
                buffer, count = buffer[12 + length:], count + 1
    except TimeoutError:
        return count
    except OSError:
        pass
    return None


def main():
    papers, qmaster, port, act = sys.argv[1:]
    peer = connect(papers, qmaster, int(port))
    try:
        for part in globals()[act]():
            peer.sendall(part)
    except OSError:
        pass  # the qmaster has had enough
    count = count_frames(peer)
    print("ended" if count is None else count)


main()
