/**
 * Programs and permissions that may keep a port from opening. The browser reports neither the program nor the reason.
 */

/**
 * Lists programs that open serial ports, some of them without a request. The list continues a sentence and has no
 * full stop.
 */
export function SerialPrograms() {
  return (
    <>
      the Arduino IDE with its serial monitor, PlatformIO, <code>idf.py monitor</code>, PuTTY, <code>screen</code>,
      ModemManager, Cura or OctoPrint
    </>
  );
}

/** Says how to get access to serial ports on Linux. `uucp` is the group's name on Arch Linux. */
export function LinuxAllowance() {
  return (
    <>
      <code>sudo usermod -aG dialout $USER</code> allows it (Arch Linux: <code>uucp</code> instead of{' '}
      <code>dialout</code>). Then log out of the system and in again. A Chromium installed as a snap also needs{' '}
      <code>sudo snap connect chromium:raw-usb</code>.
    </>
  );
}
