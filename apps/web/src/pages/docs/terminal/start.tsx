/** Terminal documentation: what it is, what it needs, the first minute. */

import { guidancePath } from '@wirebench/contract/constants';
import { portNumbers, sessionFailureText } from '@wirebench/serial';
import { Link } from 'react-router';
import { hasServer } from '../../../shared/edition.ts';
import { WatchButton } from '../../../shared/videos/watch-button.tsx';
import type { DocsGroup } from '../docs-model.ts';
import { DocsTable, Subheading } from '../docs-parts.tsx';
import { DocsPicture } from '../docs-picture.tsx';
import { serialBrowsers } from '../serial-browsers.ts';

export const start: DocsGroup = {
  name: 'Start',
  sections: [
    {
      id: 'overview',
      title: 'Overview',
      body: (
        <>
          <p>
            The terminal opens up to {portNumbers.length} serial ports in one browser tab and shows their output on one
            timeline, as text or as hex. What a board sends can be searched, filtered, plotted, recorded and exported
            exactly as it arrived; what you send often is pinned in device panels and sent with a click.
          </p>
          <DocsPicture
            name="terminal"
            alt="The terminal with two demo devices: the ports as tabs above, one log with the lines of both, device panels on the right, the send field below."
          >
            Two demo devices. The number and the colour of a line say which port it belongs to.
          </DocsPicture>
          <p>
            Everything happens on this computer.
            {hasServer ? ' Without an account, you can use everything except the JKit library.' : ''}
          </p>
        </>
      ),
    },
    {
      id: 'requirements',
      title: 'Requirements',
      body: (
        <>
          <ul>
            <li>
              {serialBrowsers}, on a computer. Other browsers show: “{sessionFailureText.unsupported}”
            </li>
            <li>A page served over https or from localhost: browsers hide serial ports from all other pages.</li>
            <li>A USB cable that carries data. Many charging cables do not.</li>
            <li>The driver for your adapter, unless your system includes it.</li>
          </ul>
          <p>
            The demo device needs none of this: it is simulated, it works in every browser, and it is always labelled
            Demo.
          </p>
        </>
      ),
    },
    {
      id: 'quick-start',
      title: 'Quick start',
      body: (
        <>
          <ol>
            <li>Open the terminal and press Connect on a port.</li>
            <li>Pick the board in the browser’s dialog. Without a board, choose the demo device.</li>
            <li>Set the baud rate that the board uses. If you do not know it, let the baud finder look for it.</li>
            <li>Type a command in the field below the log and press Enter.</li>
          </ol>
          <p>
            <WatchButton video="uart">Watch the terminal in action</WatchButton>
          </p>
          <Subheading id="ready-terminal" title="An address that opens a ready terminal" />
          <p>
            A link can contain the settings, for a readme or a bookmark. The page still asks for the port, because only
            you may open it. Anything in the address that is not valid is reported and ignored.
          </p>
          <DocsTable
            label="Parameters of the terminal's address"
            mono
            head={['Parameter', 'Values', 'Example']}
            rows={[
              ['baud', 'Any whole rate', <code key="c">baud=74880</code>],
              ['data', '7 or 8 bits', <code key="c">data=7</code>],
              ['stop', '1 or 2 bits', <code key="c">stop=2</code>],
              ['parity', 'none, even, odd', <code key="c">parity=even</code>],
              ['lines', 'dtr, off, keep: DTR and RTS at open', <code key="c">lines=off</code>],
              ['ending', 'none, lf, cr, crlf', <code key="c">ending=crlf</code>],
              ['name', 'The name of the port', <code key="c">name=GNSS</code>],
              ['filter', 'What the find field takes', <code key="c">filter=level:error</code>],
              ...(hasServer ? [['jkit', 'The id of a shared JKit', <code key="c">jkit=…</code>] as const] : []),
            ]}
          />
          <p>
            If something does not work, the{' '}
            <Link to={guidancePath('device-not-found')} className="link">
              remedies
            </Link>{' '}
            cover the usual causes.
          </p>
        </>
      ),
    },
  ],
};
