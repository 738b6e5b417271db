"""
Runs olad (Open Lighting Architecture) with a USB Pro adapter that is a pseudo-terminal. Writes one line of JSON: frames
that olad sent, and frames that it received, each with the slots that olad has.

Arguments: a folder for its configuration, the number of frames in each direction, a seed. Root: olad runs as nobody.
"""
import json, os, pty, pwd, random, select, subprocess, sys, time, tty, urllib.parse, urllib.request

folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(seed)
end = time.time() + 40 + 2 * count
nobody = pwd.getpwnam("nobody").pw_uid
master, slave = pty.openpty()
tty.setraw(master)
tty.setraw(slave)
os.chown(os.ttyname(slave), nobody, -1)
conf, dev = os.path.join(folder, "conf"), os.path.join(folder, "dev")
for path in (folder, conf, dev):
    os.makedirs(path, exist_ok=True)
    os.chmod(path, 0o777)
link = os.path.join(dev, "ttyUSB%d" % os.getpid())
os.symlink(os.ttyname(slave), link)
others = "artnet dummy e131 espnet ftdidmx gpio karate kinet milinst nanoleaf opendmx openpixelcontrol osc pathport renard sandnet shownet spi stageprofi usbdmx uartdmx"
files = {name: "enabled = false\n" for name in others.split()}
files["usbserial"] = f"device_dir = {dev}\ndevice_prefix = ttyUSB\nenabled = true\n"
for name, text in files.items():
    path = os.path.join(conf, f"ola-{name}.conf")
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o666)


def free_port():
    import socket
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


http = free_port()
daemon = subprocess.Popen(
    ["setpriv", "--reuid=nobody", "--clear-groups", "olad", "-c", conf, "-r", str(free_port()), "-p", str(http), "--no-register-with-dns-sd"],
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": folder},
)


def call(path, **form):
    data = urllib.parse.urlencode(form).encode() if form else None
    with urllib.request.urlopen(f"http://127.0.0.1:{http}/{path}", data, timeout=5) as answer:
        return answer.read().decode()


def frame(label, data):
    return bytes([0x7E, label, len(data) & 255, len(data) >> 8]) + data + b"\xe7"


waiting = b""


def frames(seconds):
    """Yields the frames that olad sends, and answers what it asks of an adapter."""
    global waiting
    until = min(end, time.time() + seconds)
    while time.time() < until and daemon.poll() is None:
        if select.select([master], [], [], 0.05)[0]:
            waiting += os.read(master, 4096)
        while len(waiting) >= 5 and len(waiting) >= 5 + (waiting[2] | waiting[3] << 8):
            size = 5 + (waiting[2] | waiting[3] << 8)
            one, waiting = waiting[:size], waiting[size:]
            if one[1] == 10:
                os.write(master, frame(10, bytes.fromhex("78563412")))
            if one[1] == 3:
                os.write(master, frame(3, bytes([44, 1, 9, 1, 40])))
            yield one


def until(holds):
    while time.time() < end and daemon.poll() is None:
        for one in frames(0.02):
            pass
        try:
            value = holds()
        except OSError:
            value = None
        if value:
            return value
    raise SystemExit("olad did not get ready")


try:
    ports = until(lambda: [port for port in json.loads(call("json/get_ports")) if "Pro" in port["device"]])
    output = next(port for port in ports if port["is_output"])
    entry = next(port for port in ports if not port["is_output"])
    call("new_universe", id=1, name="out", add_ports=output["id"])
    call("new_universe", id=2, name="in", add_ports=entry["id"])
    sent, received = [], []
    for turn in range(count):
        slots = [random.choice([0, 0x7E, 0xE7, 255, random.randrange(256)]) for _ in range(random.randrange(24, 513))]
        slots[0] = 1 + turn % 255
        # olad drops a frame that comes too soon after the last one.
        before = len(sent)
        while len(sent) == before and time.time() < end:
            call("set_dmx", u=1, d=",".join(map(str, slots)))
            for one in frames(1):
                if one[1] == 6 and list(one[5:-1])[: len(slots)] == slots:
                    sent.append({"hex": one.hex(), "slots": json.loads(call("get_dmx?u=1"))["dmx"]})
                    break
    for turn in range(count):
        slots = [random.choice([0, 0x7E, 0xE7, 255, random.randrange(256)]) for _ in range(random.randrange(24, 513))]
        slots[0] = 1 + turn % 255
        one = frame(5, bytes([0, 0] + slots))
        os.write(master, one)
        dmx = until(lambda: (lambda seen: seen if seen[:1] == slots[:1] else None)(json.loads(call("get_dmx?u=2"))["dmx"]))
        received.append({"hex": one.hex(), "slots": dmx})
    print(json.dumps({"sent": sent, "received": received}))
finally:
    daemon.terminate()
    daemon.wait(10)
