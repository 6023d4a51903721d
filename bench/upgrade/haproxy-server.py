#!/usr/bin/python3
"""Tells HAProxy the state of one server: SOCKET PORT STATE."""
import socket
import sys

path, port, state = sys.argv[1:]
with socket.socket(socket.AF_UNIX) as client:
    client.connect(path)
    client.sendall(f'set server keystone/s{port} state {state}\n'.encode())
    said = client.recv(4096).decode().strip()
if said:
    sys.exit(said)
