/** Release manager documentation: the flash button on pages outside of this server. */
import type { DocsGroup } from '../docs-model.ts';
import { CodeBlock, DocsTable, Subheading } from '../docs-parts.tsx';

const fromServer = `<script type="module" src="https://wirebench.example/flash-button.js"></script>
<wirebench-flash release="https://wirebench.example/release.html?type=project&id=…">
  <button slot="activate">Install the weather node</button>
</wirebench-flash>`;

const ownFiles = `<script type="module" src="flash-button.js"></script>
<wirebench-flash manifest="firmware/manifest.json">
  <p slot="unsupported">Open this page in Chrome or Edge on a computer.</p>
</wirebench-flash>`;

const listening = `document.querySelector('wirebench-flash').addEventListener('wirebench-success', ({ detail }) => {
  console.log(detail.chip, detail.version, detail.verified);
});`;

export const ownPage: DocsGroup = {
  name: 'On your own page',
  sections: [
    {
      id: 'flash-button',
      title: 'Flash button on your own page',
      body: (
        <>
          <p>
            One tag puts a button on any page that flashes a board there, without leaving the page. Every server of this
            product serves its file. With <code>release</code> it takes the address of a release page, for a project the
            newest version. With <code>manifest</code> it takes a manifest of ESP Web Tools, a{' '}
            <code>flasher_args.json</code>, or the manifest of a release.
          </p>
          <CodeBlock name="page.html" text={fromServer} />
          <p>
            The page needs https or localhost. On another server than the page’s, manifest and files need the header{' '}
            <code>Access-Control-Allow-Origin</code>; shared releases here send it. A page with a content security
            policy lists the server under <code>script-src</code> and <code>connect-src</code>. Nothing else is needed:
            no inline style, no worker, no library.
          </p>
          <Subheading id="flash-button-files" title="With your own files" />
          <p>
            Copy <code>flash-button.js</code> and the folder <code>flash-button</code> beside it to your web host, and
            publish a manifest with your firmware. Everything then comes from your own host, and no server counts
            flashes.
          </p>
          <CodeBlock name="own-files.html" text={ownFiles} />
          <Subheading id="flash-button-steps" title="What it does" />
          <p>
            It identifies the board, chooses the build for its chip and its properties, and shows what will be written
            and what stays before anything is erased. Regions that are on the board already are skipped. Each region is
            verified by a hash of the board, where its bootloader has one. After an unplugged cable, Write the rest
            continues where the write ended. Afterwards it offers the monitor, a receipt, and the Wi-Fi of boards that
            answer by Improv.
          </p>
          <Subheading id="flash-button-from-esp-web-tools" title="In place of ESP Web Tools" />
          <p>
            Change the tag <code>esp-web-install-button</code> to <code>wirebench-flash</code> and the script’s address.
            The attribute <code>manifest</code>, the slots <code>activate</code>, <code>unsupported</code> and{' '}
            <code>not-allowed</code>, and the state attributes <code>install-supported</code>,{' '}
            <code>install-unsupported</code> and <code>active</code> have the same names. Stored settings are kept
            unless a person chooses to erase them.
          </p>
          <Subheading id="flash-button-reference" title="Attributes, slots and events" />
          <DocsTable
            label="Attributes, slots and events of the flash button"
            head={['Name', 'Kind', 'Meaning']}
            mono
            rows={[
              ['manifest', 'attribute', 'Address of a manifest, relative to the page.'],
              ['release', 'attribute', 'Address of a release page, or of a manifest.'],
              ['demo', 'attribute', 'Also offers a simulated board, which is always labelled Demo.'],
              ['erase-first', 'attribute', 'Proposes to erase everything first. The person still decides.'],
              ['baud-rate', 'attribute', 'Rate for flashing. Boards that refuse it fall back by themselves.'],
              [
                'state',
                'attribute, set by the element',
                'idle, loading, ready, connecting, planning, planned, writing, success, failure or console.',
              ],
              ['activate', 'slot', 'Your own button.'],
              ['unsupported', 'slot', 'Shown in browsers that cannot reach boards.'],
              ['not-allowed', 'slot', 'Shown on pages over plain http.'],
              ['not-permitted', 'slot', 'Shown in frames without allow="serial".'],
              ['wirebench-state', 'event', 'State and its sentence.'],
              ['wirebench-progress', 'event', 'Phase, bytes, per cent, speed and remaining time.'],
              ['wirebench-success', 'event', 'Chip, version, bytes and the hash of each region.'],
              ['wirebench-failure', 'event', 'Code, sentence, remedy and the state of the board.'],
            ]}
          />
          <p>
            Parts for styling: <code>button</code>, <code>dialog</code>, <code>title</code>, <code>body</code>,{' '}
            <code>actions</code>, <code>action</code>, <code>close</code>, <code>progress</code>, <code>log</code>,{' '}
            <code>demo</code> and <code>unsupported</code>. Custom properties: <code>--wirebench-accent</code>,{' '}
            <code>--wirebench-on-accent</code>, <code>--wirebench-surface</code>, <code>--wirebench-text</code>,{' '}
            <code>--wirebench-line</code>, <code>--wirebench-radius</code>, <code>--wirebench-font</code> and{' '}
            <code>--wirebench-mono</code>. The dialog follows the page’s <code>color-scheme</code>.
          </p>
          <CodeBlock name="events.js" text={listening} />
        </>
      ),
    },
  ],
};
