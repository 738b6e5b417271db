"""
Runs "gammu identify" with a modem that is a pseudo-terminal. Writes one line of JSON: what passed, with times in ms, what
gammu printed, and the commands and final results as the modem counted them.

Arguments: a folder for its configuration, and the facts of the modem as JSON.
"""
import json, os, pty, select, subprocess, sys, time, tty

folder, facts = sys.argv[1], json.loads(sys.argv[2])
master, slave = pty.openpty()
tty.setraw(slave)
config = os.path.join(folder, "gammurc")
with open(config, "w") as file:
    file.write(f"[gammu]\ndevice = {os.ttyname(slave)}\nconnection = at115200\nmodel = at\nuse_locking = no\n")

answers = {
    "AT+CGMI": facts["manufacturer"],
    "AT+CGMM": facts["model"],
    "AT+CGMR": facts["firmware"],
    "AT+CGSN": facts["imei"],
    "AT+CIMI": facts["imsi"],
    "AT+CPIN?": "+CPIN: READY",
    "AT+CSQ": "+CSQ: 17,99",
    "AT+CSCS?": '+CSCS: "GSM"',
    "AT+CSCS=?": '+CSCS: ("GSM","HEX")',
}
plain = {"AT", "ATZ", "ATE1", "ATE0", "ATV1", "AT+CMEE=1", "AT+CMEE=2", "AT+CFUN=1", 'AT+CSCS="GSM"', 'AT+CSCS="HEX"'}
start, chunks, commands, finals = time.monotonic(), [], [], []
# Echo is on, as it is in a modem after power on.
echo, held = True, b""


def log(direction, data):
    chunks.append([round((time.monotonic() - start) * 1000, 3), direction, data.hex()])


def send(text):
    data = text.encode("latin1")
    os.write(master, data)
    log("rx", data)


def obey(command):
    global echo
    commands.append(command)
    if command == "ATE0":
        echo = False
    if command in answers:
        send(f"\r\n{answers[command]}\r\n")
    final = "OK" if command in answers or command in plain else "ERROR"
    finals.append(final)
    send(f"\r\n{final}\r\n")


program = subprocess.Popen(["gammu", "-c", config, "identify"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
end = time.monotonic() + 60
while program.poll() is None and time.monotonic() < end:
    if not select.select([master], [], [], 0.05)[0]:
        continue
    data = os.read(master, 512)
    log("tx", data)
    if echo:
        send(data.decode("latin1"))
    held += data
    while b"\r" in held:
        line, held = held.split(b"\r", 1)
        text = line.decode("latin1").strip("\x1b\x1a \n")
        if text:
            obey(text)
program.kill()
output = program.stdout.read().decode("utf8", "replace")
print(json.dumps({"chunks": chunks, "output": output, "commands": commands, "finals": finals}))
