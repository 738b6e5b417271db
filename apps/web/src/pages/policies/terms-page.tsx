import { Policy } from './policy.tsx';

/** `/terms`. */
export function TermsPage() {
  return (
    <Policy title="Terms of use">
      <p>
        Wirebench is software that anyone can run. “The operator” below is whoever runs the server that gave you this
        page. By using the tools you accept these terms.
      </p>
      <h2>Beta software</h2>
      <p>
        The software is a beta, and it comes as it is. It can fail, change or lose what it stores. Keep your own copies
        of what matters to you.
      </p>
      <h2>Your hardware is your responsibility</h2>
      <p>
        Serial commands move motors and switch loads; flashing replaces what is on a chip. The tools check what they can
        and ask before they erase. Whether a command or a firmware is right for your device is for you to judge. Nobody
        but you is liable for damage to your hardware, to what is connected to it, or to your data.
      </p>
      <h2>What you share</h2>
      <ul>
        <li>Share only what is yours to share, and nothing that harms others’ devices on purpose.</li>
        <li>What you make public can be read, loaded and flashed by anyone who has the link or finds it.</li>
        <li>
          Making it private ends that at once for everything that comes after. It does not call back what others have.
        </li>
        <li>The operator may remove what breaks these terms or the law.</li>
      </ul>
      <h2>Releases of others</h2>
      <p>
        Releases and JKits come from the people whose names they carry. Nobody reviews them. Only flash firmware from
        people you trust.
      </p>
      <h2>Accounts</h2>
      <p>
        An account belongs to one person. Keep your publishing tokens secret, and revoke those that you no longer need.
        Limits on the number of projects, versions and JKits apply to everyone on a server alike.
      </p>
      <h2>Changes</h2>
      <p>These terms change with the software; the date above says from when they are.</p>
    </Policy>
  );
}
