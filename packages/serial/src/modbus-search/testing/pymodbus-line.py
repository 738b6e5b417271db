"""Serves Modbus RTU devices of pymodbus on a pseudo-terminal.

Prints its path. The argument is JSON: tables of addresses and values, by unit. Ends with standard input.
"""

import json
import logging
import os
import pty
import select
import sys
import tty

from pymodbus.datastore import ModbusSlaveContext, ModbusSparseDataBlock
from pymodbus.device import ModbusControlBlock
from pymodbus.factory import ServerDecoder
from pymodbus.framer.rtu_framer import ModbusRtuFramer

# Refusals are errors in its log.
logging.disable()


def block(table):
    return ModbusSparseDataBlock({int(address): value for address, value in table.items()})


slaves = {
    int(unit): ModbusSlaveContext(
        hr=block(tables["holding"]),
        ir=block(tables["input"]),
        co=block(tables["coil"]),
        di=block(tables["discrete"]),
        zero_mode=True,
    )
    for unit, tables in json.loads(sys.argv[1]).items()
}

identity = ModbusControlBlock().Identity
identity.VendorName = "pymodbus"
identity.ProductCode = "PM"
identity.MajorMinorRevision = "3.0"

master, slave = pty.openpty()
tty.setraw(slave)
print(os.ttyname(slave), flush=True)
framer = ModbusRtuFramer(ServerDecoder(), client=None)


def answer(request):
    response = request.execute(slaves[request.unit_id])
    response.transaction_id = request.transaction_id
    response.unit_id = request.unit_id
    os.write(master, framer.buildPacket(response))


while True:
    ready, _, _ = select.select([master, sys.stdin], [], [])
    if sys.stdin in ready and not sys.stdin.buffer.read1(1):
        break
    if master in ready:
        framer.processIncomingPacket(os.read(master, 512), answer, list(slaves), single=False)
