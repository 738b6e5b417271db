import { hasServer } from '../../shared/edition.ts';
import { Policy } from './policy.tsx';

/** `/terms`. */
export function TermsPage() {
  return (
    <Policy title="Terms of use">
      <p>
        Wirebench is software that anyone can run. Below, “the operator” is whoever runs the server that sent you this
        page. By using the tools you accept these terms.
      </p>
      <h2>Beta software</h2>
      <p>
        The software is in beta and is provided as is. It may fail, change or lose what it stores. Keep your own copies
        of what matters to you.
      </p>
      <h2>Your hardware is your responsibility</h2>
      <p>
        Serial commands move motors and switch loads; flashing replaces what is on a chip. The tools check what they can
        and ask before they erase. You must judge whether a command or firmware image is right for your device. Nobody
        but you is liable for damage to your hardware, to what is connected to it, or to your data.
      </p>
      {hasServer ? <Sharing /> : null}
      <h2>Releases of others</h2>
      <p>
        {hasServer
          ? 'Releases and JKits come from the people named on them.'
          : 'Firmware and JKits come from the people who made them.'}{' '}
        Nobody reviews them. Only flash firmware from people you trust.
      </p>
      {hasServer ? <Accounts /> : null}
      <h2>Changes</h2>
      <p>These terms may change with the software; the date above is the date of this version.</p>
    </Policy>
  );
}

function Sharing() {
  return (
    <>
      <h2>What you share</h2>
      <ul>
        <li>Share only what you have the right to share, and nothing meant to harm other people’s devices.</li>
        <li>Anyone who has the link, or finds it, can read, load and flash what you make public.</li>
        <li>Making it private again ends that at once. It does not take back what others already have.</li>
        <li>The operator may remove anything that breaks these terms or the law.</li>
      </ul>
    </>
  );
}

function Accounts() {
  return (
    <>
      <h2>Accounts</h2>
      <p>
        An account belongs to one person. Keep your publishing tokens secret, and revoke those that you no longer need.
        The limits on projects, versions and JKits are the same for everyone on a server.
      </p>
    </>
  );
}
