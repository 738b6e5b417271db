/**
 * Linux tells the browser the same when a port is taken and when the account may not open it, so this stands beside "another
 * program". `uucp` is the group's name on Arch Linux.
 */
export function LinuxPermission() {
  return (
    <ul>
      <li>
        Or this account may not use serial ports. <code>sudo usermod -aG dialout $USER</code> allows it (Arch Linux:{' '}
        <code>uucp</code> in place of <code>dialout</code>). Then sign out of the system and in again.
      </li>
      <li>
        A Chromium installed as a snap also needs <code>sudo snap connect chromium:raw-usb</code>.
      </li>
    </ul>
  );
}
