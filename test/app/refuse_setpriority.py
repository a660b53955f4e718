"""Runs a command in which setpriority answers EPERM, as in a systemd unit with SystemCallFilter=~@resources: refuse_setpriority.py COMMAND ARGUMENT..."""
import ctypes, os, platform, struct, sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
RETURN_EPERM, RETURN_ALLOW = 0x00050001, 0x7FFF0000
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
SETPRIORITY = {"x86_64": 141, "aarch64": 140}[platform.machine()]


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


instructions = [(LOAD, 0, 0, 0), (JUMP_IF_EQUAL, 0, 1, SETPRIORITY), (RETURN, 0, 0, RETURN_EPERM), (RETURN, 0, 0, RETURN_ALLOW)]
text = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in instructions))
program = Program(len(instructions), ctypes.cast(text, ctypes.c_void_p))
libc = ctypes.CDLL(None)
if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
    sys.exit("this kernel takes no filter of system calls")
os.execvp(sys.argv[1], sys.argv[1:])
