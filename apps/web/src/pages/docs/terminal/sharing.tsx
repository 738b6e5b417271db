/** Terminal documentation: the bench that is shared by a link, as its host sees it. */
import type { DocsSection } from '../docs-model.ts';
import { DocsTable, Subheading } from '../docs-parts.tsx';
import { DocsPicture } from '../docs-picture.tsx';

export const shareYourBench: DocsSection = {
  id: 'sharing',
  only: 'server',
  title: 'Share your bench',
  body: (
    <>
      <p>
        Whoever has a link to your bench sees what its ports receive and send, live and in a console of their own.
        “Share” above the log makes the link; you have to be signed in for it, your guests need not be. A code to be
        scanned stands beside it. Guests see what passes from then on. With “Guests see the last lines”, which is off
        until you switch it on, each new guest also gets the newest 500 lines of every port, 64 KB at most.
      </p>
      <DocsPicture
        name="share-terminal"
        alt="The dialog for sharing: the link and its code, when it ends, and what each of three guests may do with each of two ports."
      >
        Jonas may type on port 1, Aylin uses port 2, and Priya asks to type.
      </DocsPicture>
      <p>
        A new guest may watch. You give more to one guest at one port, and take it away the same way, at any time. A
        guest who asks for more is shown in the bar below the ports, which stays while you share, also on the app’s
        other pages.
      </p>
      <DocsTable
        label="What a guest may do"
        head={['Right', 'What it allows']}
        rows={[
          ['Watch', 'to see what passes the ports'],
          ['Type', 'to send through your connection; your log says who typed each line'],
          [
            'Use',
            'to open the port as if the board were plugged in there: to flash it, reset it, and talk to it at any baud rate',
          ],
        ]}
      />
      <p>
        While a guest uses a port, your terminal has closed it and shows what passes; the port’s tab names the guest.
        “Take back” ends that at once, and so does removing the guest: your terminal opens the port again with your
        settings. One guest at a time can use a port. If the guest’s connection is lost in the middle of a reset, the
        board is let go of after a second; the port is yours again after a minute. Until then, the bar and the list of
        guests say that the connection of this guest is lost, and since when.
      </p>
      <p>
        Guests with the right to type also have the Screen, key by key. Everybody sees “Ann types on Port 1” there, and
        in the log; the keys themselves are in no log. While a guest uses the port, the keys of all others rest.
      </p>
      <Subheading id="end-of-sharing" title="When sharing ends" />
      <p>
        With “Stop sharing”, when you close, reload or leave the page, after 1, 4 or 8 hours as you choose, and 30
        minutes after the last guest has left. The link does not work any more then. A guest whom you have removed can
        open the link again, as somebody new who may watch: to be rid of somebody for good, stop sharing and make a new
        link.
      </p>
      <p>
        The terminal, the release manager, the ESP32 bench’s start page and the documentation are one page: you can go
        from one to another while you share. Each flasher is a page of its own, and so is the ESP32 bench. Before a link
        leads to one, you are asked whether to stop sharing or to open it in a new tab; before anything else that leaves
        the page, your browser asks.
      </p>
      <Subheading id="share-with-a-class" title="Share with a class" />
      <p>
        From eight guests on, the dialog finds a guest by name. “Set everyone to Watch” takes every right back at once,
        and “Refuse all” refuses all requests. Two guests of the same name are told apart by a number.
      </p>
      <Subheading id="who-can-read" title="Who can read it" />
      <p>
        You and your guests. The key is the part of the link behind #, which browsers send to no server. The server
        passes on sealed frames, and learns when and how much is sent. It also serves this page to all of you, so share
        a bench only on a server that you trust. Everybody who has the link can watch, and whoever may use a port is
        trusted with that board. Names are what guests call themselves. The server records nothing.
      </p>
    </>
  ),
};
