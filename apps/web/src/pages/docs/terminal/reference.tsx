/** Terminal documentation: to look things up. */
import { type GuidanceTopic, guidancePath, guidanceTopics } from '@wirebench/contract/constants';
import { baudRates, defaultPortSettings } from '@wirebench/port';
import { type SessionFailure, sessionFailureText } from '@wirebench/serial';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { shortcuts } from '../../../features/terminal/shortcuts.ts';
import type { DocsGroup } from '../docs-model.ts';
import { DocsTable } from '../docs-parts.tsx';

/** Shortcuts that work everywhere, then those of one place. */
const keys: readonly (readonly [string, string])[] = [
  ...Object.values(shortcuts).map(({ keys: pressed, what }) => [pressed, what] as const),
  ['Ctrl+F', 'find, while the console has the focus'],
  ['↑ and ↓ in the send field', 'what was sent before'],
  ['End in the console', 'follow the newest line again'],
  ['Ctrl+Shift+Enter', 'enter or leave the Screen'],
  ['Ctrl+Shift+C and Ctrl+Shift+V in the Screen', 'copy and paste'],
  ['Ctrl+Shift+F in the Screen', 'find in it'],
];

const GuidanceLink = ({ topic }: { readonly topic: GuidanceTopic }) => (
  <Link to={guidancePath(topic)} className="link">
    {guidanceTopics[topic]}
  </Link>
);

/** Failures that the flasher guide explains in more detail than their sentence. */
const guidance: Partial<Record<SessionFailure, ReactNode>> = {
  unsupported: <GuidanceLink topic="serial-access-blocked" />,
  busy: <GuidanceLink topic="port-access-denied" />,
  'permission-denied': <GuidanceLink topic="permission-denied" />,
  'device-gone': <GuidanceLink topic="device-not-found" />,
  'no-memory': <GuidanceLink topic="memory-errors" />,
};

/** Placeholders as a reader understands them. */
const shown = (text: string) => text.replace('{port}', 'N').replace('{detail}', '…');

export const reference: DocsGroup = {
  name: 'Reference',
  sections: [
    {
      id: 'keyboard-shortcuts',
      title: 'Keyboard shortcuts',
      body: (
        <>
          <p>Shortcuts act only while you are not typing.</p>
          <DocsTable label="Keyboard shortcuts" mono head={['Keys', 'What happens']} rows={keys} />
        </>
      ),
    },
    {
      id: 'settings',
      title: 'Settings',
      body: (
        <DocsTable
          label="Settings of a port"
          head={['Setting', 'Choices', 'Default']}
          rows={[
            [
              'Baud rate',
              `${baudRates.join(', ')}, or any other with “Custom…” (74880 for the boot log of an ESP8266)`,
              `${defaultPortSettings.baudRate}`,
            ],
            ['Data bits', '7, 8', `${defaultPortSettings.dataBits}`],
            ['Stop bits', '1, 2', `${defaultPortSettings.stopBits}`],
            ['Parity', 'none, even, odd', defaultPortSettings.parity],
            ['Flow control', 'none, RTS/CTS', defaultPortSettings.flowControl],
            [
              'At open',
              'DTR on and RTS off; both off; leave alone. An Arduino Uno resets with each of them',
              'DTR on, RTS off',
            ],
            ['Typed as, line ending', 'Text, Escapes, Hex; none, LF, CR, CRLF', 'Text, LF'],
          ]}
        />
      ),
    },
    {
      id: 'troubleshooting',
      title: 'Troubleshooting',
      body: (
        <>
          <p>
            These are the messages that the terminal shows when something goes wrong with a port, each with its code.
          </p>
          <DocsTable
            label="Failures of a port"
            mono
            head={['Code', 'What the terminal says', 'More']}
            rows={Object.entries(sessionFailureText).map(([code, text]) => [
              code,
              shown(text),
              guidance[code as SessionFailure] ?? '',
            ])}
          />
          <p>
            Unreadable characters nearly always mean that the baud rates differ. When framing errors appear, “Find the
            rate” in the warning starts the baud finder.
          </p>
        </>
      ),
    },
  ],
};
