/** Dialog that puts a board on a Wi-Fi network by Improv, through the open port. */
import type { PortNumber } from '@wirebench/serial';
import { Check, Copy, ExternalLink, RefreshCw, Square, Wifi } from 'lucide-react';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { copyText } from '../../shared/files/copy-text.ts';
import { Button } from '../../shared/ui/button.tsx';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { ProgressBar } from '../../shared/ui/progress-bar.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import { useBenchStatus } from '../bench-status.ts';
import styles from './improv.module.css';
import { declineImprov } from './improv-offer.ts';
import { nameFault, passwordFault } from './network-input.ts';
import { NetworkList, networkKey, otherNetwork } from './network-list.tsx';
import { pageAddress } from './page-address.ts';
import { PasswordField } from './password-field.tsx';
import { Setup } from './setup-steps.ts';

/** Milliseconds after *Connect* in which its button does not stop: it has the same place. */
const secondClick = 600;

interface ImprovDialogProps {
  readonly port: PortNumber;
  /** True: the dialog was offered, so that it has *Not now*, which is remembered. */
  readonly isOffered: boolean;
  readonly onClose: () => void;
}

export function ImprovDialog({ port, isOffered, onClose }: ImprovDialogProps) {
  const [setup] = useState(() => new Setup(port));
  const step = setup.store.use((state) => state.step);
  const isOpen = useBenchStatus(({ status }) => status.ports[port].state === 'connected');
  const name = useBenchStatus(({ improv }) => improv[port].information?.name ?? '');
  const formId = useId();
  const pressedAt = useRef(0);
  const act = useRef<HTMLButtonElement>(null);
  const next = useRef<HTMLElement>(null);
  useEffect(() => {
    void setup.begin();
    return () => setup.end();
  }, [setup]);
  const isDone = step.kind === 'connected';
  useEffect(() => {
    if (isDone) {
      next.current?.focus();
    }
  }, [isDone]);
  const decline = () => {
    declineImprov(port);
    onClose();
  };
  const leave = (
    <Button key="leave" variant="quiet" onClick={isOffered ? decline : onClose}>
      {isOffered ? 'Not now' : 'Close'}
    </Button>
  );
  const parts = (): DialogParts => {
    if (step.kind === 'connected') {
      const href = pageAddress(step.address);
      return {
        title: `${name === '' ? 'The board' : name} is on ${step.network}`,
        body: <Connected sent={step.address} href={href} />,
        footer: <DoneButtons next={next} href={href} onClose={onClose} />,
      };
    }
    if (!isOpen) {
      return {
        body: (
          <Notice level="error" title={`Port ${port} is closed.`}>
            Connect it, then set up Wi-Fi again.
          </Notice>
        ),
        footer: leave,
      };
    }
    if (step.kind === 'asking') {
      return {
        body: (
          <p role="status" className={`row ${styles['line']}`}>
            <Spinner /> Asking the board what it is…
          </p>
        ),
        footer: leave,
      };
    }
    if (step.kind === 'silent') {
      return {
        body: (
          <Notice level="error" title="No answer by Improv.">
            {step.reason}
          </Notice>
        ),
        footer: [
          leave,
          <Button key="act" variant="primary" icon={<RefreshCw />} onClick={() => void setup.begin()}>
            Try again
          </Button>,
        ],
      };
    }
    const isConnecting = step.kind === 'connecting';
    return {
      body: (
        <>
          <BoardFacts port={port} />
          <NetworkForm id={formId} setup={setup} onSent={() => act.current?.focus()} />
          {isConnecting ? <Connecting port={port} network={step.network} /> : null}
        </>
      ),
      footer: [
        isConnecting ? null : leave,
        // One button for both, so that it keeps the focus.
        <Button
          key="act"
          ref={act}
          variant={isConnecting ? 'danger' : 'primary'}
          icon={isConnecting ? <Square /> : <Wifi />}
          type={isConnecting ? 'button' : 'submit'}
          form={formId}
          onClick={({ timeStamp }) => {
            if (!isConnecting) {
              pressedAt.current = timeStamp;
            } else if (timeStamp - pressedAt.current > secondClick) {
              setup.stop();
            }
          }}
        >
          {isConnecting ? 'Stop' : 'Connect'}
        </Button>,
      ],
    };
  };
  const { title = 'Put this board on your Wi-Fi', body, footer } = parts();
  return (
    <Dialog open onClose={onClose} title={title} footer={footer}>
      {body}
    </Dialog>
  );
}

interface DialogParts {
  readonly title?: string;
  readonly body: ReactNode;
  readonly footer: ReactNode;
}

function BoardFacts({ port }: { readonly port: PortNumber }) {
  const { information, state, address } = useBenchStatus(({ improv }) => improv[port]);
  const href = pageAddress(address);
  return (
    <>
      <p>
        The program on the board asks for a network (Improv). The password goes to the board over the cable. It is not
        stored here and not in the log.
      </p>
      {information === null ? null : (
        <p className={styles['facts']}>
          <b>{information.name}</b> {information.firmware} {information.version}, {information.chip}
          {information.system === '' ? '' : `, ${information.system}`}
        </p>
      )}
      {state === 'starting' ? <p>It accepts a network after its button was pressed.</p> : null}
      {state === 'connected' ? (
        <p>
          It is on a network now{href === null ? '' : ': '}
          {href === null ? null : (
            <a href={href} target="_blank" rel="noopener noreferrer">
              {href}
            </a>
          )}
          . Another one replaces it.
        </p>
      ) : null}
    </>
  );
}

interface NetworkFormProps {
  readonly id: string;
  readonly setup: Setup;
  /** The form is hidden while the board connects, so the focus leaves its fields. */
  readonly onSent: () => void;
}

interface Faults {
  readonly choice: string | null;
  readonly name: string | null;
  readonly password: string | null;
}

const noFaults: Faults = { choice: null, name: null, password: null };

function NetworkForm({ id, setup, onSent }: NetworkFormProps) {
  const { step, isScanning, networks, scanFault } = setup.store.use();
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState(noFaults);
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const isConnecting = step.kind === 'connecting';
  const network = networks.find((one) => networkKey(one) === chosen) ?? null;
  const isOther = chosen === otherNetwork || (networks.length === 0 && !isScanning);
  const label = network?.name ?? name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const secret = network !== null && !network.isLocked ? '' : password;
    const found: Faults = {
      choice: network === null && !isOther ? 'Choose a network.' : null,
      name: isOther ? nameFault(name) : null,
      password: passwordFault(secret, network?.isLocked ?? false),
    };
    setFaults(found);
    if (found.choice !== null) {
      return;
    }
    if (found.name !== null || found.password !== null) {
      (found.name === null ? passwordField : nameField).current?.focus();
      return;
    }
    const utf8 = new TextEncoder();
    void setup.connect({ name: network?.bytes ?? utf8.encode(name), label, password: utf8.encode(secret) });
    onSent();
  };
  return (
    <form id={id} className={styles['form']} hidden={isConnecting} onSubmit={submit} noValidate>
      {step.kind === 'choosing' && step.failure !== null ? (
        <Notice level="error" title="Not connected.">
          {step.failure}
        </Notice>
      ) : null}
      {networks.length === 0 && !isScanning ? null : (
        <NetworkList
          networks={networks}
          chosen={chosen}
          onChoose={(key) => {
            setChosen(key);
            setFaults(noFaults);
          }}
        />
      )}
      <p role="status" className={`row ${styles['line']}`}>
        {isScanning ? (
          <>
            <Spinner /> The board is looking for networks…
          </>
        ) : (
          (scanFault ?? (networks.length === 0 ? 'The board sees no network. Enter the name of yours.' : null))
        )}
      </p>
      <div className="buttons">
        <Button size="sm" variant="quiet" icon={<RefreshCw />} busy={isScanning} onClick={() => void setup.scan()}>
          Look again
        </Button>
      </div>
      {faults.choice === null ? null : <p role="alert">{faults.choice}</p>}
      {isOther ? (
        <Field label="Name of the network" error={faults.name} hint="Exactly as it is set: A and a are different.">
          {(ids) => (
            <TextInput
              {...ids}
              ref={nameField}
              value={name}
              autoComplete="off"
              autoCapitalize="off"
              autoCorrect="off"
              spellCheck={false}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
      ) : null}
      {isOther || network?.isLocked ? (
        <PasswordField
          ref={passwordField}
          label={label === '' ? 'Password' : `Password of ${label}`}
          hint={isOther ? 'Empty for an open network.' : undefined}
          value={password}
          error={faults.password}
          onChange={setPassword}
        />
      ) : null}
    </form>
  );
}

function Connecting({ port, network }: { readonly port: PortNumber; readonly network: string }) {
  const isTrying = useBenchStatus(({ improv }) => improv[port].state === 'connecting');
  return (
    <div className={styles['form']}>
      <p role="status">
        {isTrying ? `The board is connecting to ${network}.` : `The settings of ${network} go to the board.`} This may
        take half a minute.
      </p>
      <ProgressBar label={`Connecting to ${network}`} done={null} />
    </div>
  );
}

interface ConnectedProps {
  /** Address as the board sent it. */
  readonly sent: string;
  /** The same for a link; null if it is no web page. */
  readonly href: string | null;
}

function Connected({ sent, href }: ConnectedProps) {
  return (
    <>
      <div role="status" className={styles['done']}>
        <span className={styles['sign']}>
          <Check aria-hidden="true" />
        </span>
        <p>
          <b>{href === null ? 'The board reports that it is connected.' : `It answers at ${new URL(href).host}.`}</b>
          <br />
          {href === null
            ? sent === ''
              ? 'It sent no address of a page.'
              : `It sent an address that is not one of a web page: ${sent}`
            : 'Your computer must be on the same network to open its page.'}
        </p>
      </div>
      {href === null ? null : (
        <div className={`row ${styles['address']}`}>
          <code className="ellipsis">{href}</code>
          <IconButton
            label="Copy the address"
            size="sm"
            variant="quiet"
            icon={<Copy />}
            onClick={() => void copyText(href, 'Address copied')}
          />
        </div>
      )}
    </>
  );
}

interface DoneButtonsProps {
  /** Gets the next step, which receives the focus. */
  readonly next: RefObject<HTMLElement | null>;
  readonly href: string | null;
  readonly onClose: () => void;
}

function DoneButtons({ next, href, onClose }: DoneButtonsProps) {
  const setNext = (element: HTMLElement | null) => {
    next.current = element;
  };
  if (href === null) {
    return (
      <Button ref={setNext} variant="primary" onClick={onClose}>
        Done
      </Button>
    );
  }
  return (
    <>
      <Button variant="quiet" onClick={onClose}>
        Done
      </Button>
      <a
        ref={setNext}
        className={buttonClass({ variant: 'primary' })}
        href={href}
        target="_blank"
        rel="noopener noreferrer"
      >
        <ExternalLink aria-hidden="true" />
        Open the board’s page
      </a>
    </>
  );
}
