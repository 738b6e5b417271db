import { hasServer } from '../../shared/edition.ts';
import { Policy } from './policy.tsx';

/** `/privacy`: true for this software; who runs a server adds what that server does besides. */
export function PrivacyPage() {
  return hasServer ? <ServerPrivacy /> : <StaticPrivacy />;
}

function StaticPrivacy() {
  return (
    <Policy title="Privacy">
      <p>
        This is the static edition of Wirebench: pages and scripts that a web host sends, and nothing behind them.
        Below, “the operator” is whoever put them there.
      </p>
      <h2>What stays on your computer</h2>
      <ul>
        <li>Everything your boards send and everything you send to them, recordings included.</li>
        <li>Firmware files that you flash, and flash contents that you read or back up.</li>
        <li>
          Port names, settings, panels, the theme and the history of flashed boards. They are kept in this browser’s
          storage until you clear it.
        </li>
        <li>The files of Wirebench itself, so that it works without a network.</li>
      </ul>
      <h2>What is sent</h2>
      <p>
        Nothing. The pages fetch themselves, the list of firmware beside them, and a manifest with its files when you
        open one. They report nothing about it to anybody.
      </p>
      <h2>Cookies and third parties</h2>
      <p>
        The pages set no cookies and contain no advertising and no tracking. They load nothing from other servers,
        unless you open a manifest of another server.
      </p>
      <h2>Logs</h2>
      <p>The operator’s web host may log which files are fetched, as any host does. Ask the operator about it.</p>
    </Policy>
  );
}

function ServerPrivacy() {
  return (
    <Policy title="Privacy">
      <p>
        Wirebench is software that anyone can run. Below, “the operator” is whoever runs the server that sent you this
        page. This text says what the software does; ask the operator about anything they have added.
      </p>
      <h2>What stays on your computer</h2>
      <ul>
        <li>Everything your boards send and everything you send to them, recordings included.</li>
        <li>Firmware files that you flash, and flash contents that you read or back up.</li>
        <li>
          Port names, settings, panels, the theme and the history of flashed boards. They are kept in this browser’s
          storage until you clear it.
        </li>
        <li>
          The files of Wirebench itself, so that it works without a network. While you are signed in, also the tokens of
          your session: signing out deletes them.
        </li>
      </ul>
      <h2>What the server keeps, and only when you act</h2>
      <ul>
        <li>
          Signing in: the identity provider keeps your session. Wirebench learns your user name from it, and your e-mail
          address and picture if it provides them. Wirebench keeps user name and e-mail address with your account, where
          administrators alone see them, and stores them otherwise only with what you save or send.
        </li>
        <li>
          Your public name, and on which day and hour you last used the server signed in. The name is your user name
          until you choose another one, and a neutral one where your user name is an e-mail address.
        </li>
        <li>JKits that you save, with your stars and ratings. Shared ones show your public name.</li>
        <li>
          Firmware projects, versions and their files. Public ones show your public name to anyone with the link. A
          history records who changed what and when.
        </li>
        <li>
          Reports that you send about something public, until an administrator has looked at them: the reason and your
          note, and nothing about you. What administrators do about it is recorded with their names.
        </li>
        <li>Feedback that you send, with your e-mail address or name. Administrators can read it.</li>
        <li>
          When a shared release is flashed: that it was flashed, on which kind of chip, and the error code if it failed.
          No address of the board, no log and nothing about you.
        </li>
      </ul>
      <h2>Cookies and third parties</h2>
      <p>
        The pages set no cookies of their own, load nothing from other servers, and contain no advertising and no
        tracking. The identity provider sets the cookies it needs to recognise you. A profile picture is loaded from
        wherever your identity provider keeps it.
      </p>
      <h2>Logs</h2>
      <p>
        The server logs the time, the kind and the result of each request, without tokens and e-mail addresses. The
        operator decides how long logs and backups are kept.
      </p>
      <h2>Your choices</h2>
      <p>
        You can use the terminal and the flashers without an account. You can delete your JKits, projects and versions
        at any time; their files are deleted with them. For everything else, such as feedback that you have sent, ask
        the operator.
      </p>
    </Policy>
  );
}
