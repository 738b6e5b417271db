/** Button that connects a port with the browser's dialog, and a menu for ways without the dialog. */
import { deviceName } from '@wirebench/boards/device-name';
import type { PortSettings } from '@wirebench/port';
import type { PortNumber } from '@wirebench/serial';
import { Cable, ChevronDown, FlaskConical, Plug } from 'lucide-react';
import { useState } from 'react';
import { type PortPlace, permittedPlaces } from '../../hardware/permitted-ports.ts';
import { serialSupport } from '../../hardware/serial-support.ts';
import { Button, type ButtonProps } from '../../shared/ui/button.tsx';
import { Menu, type MenuAction } from '../../shared/ui/menu.tsx';
import styles from './connect-button.module.css';
import { connectPicked, connectSource } from './connect-port.ts';

export interface ConnectButtonProps extends Pick<ButtonProps, 'variant' | 'size'> {
  readonly port: PortNumber;
  readonly settings: PortSettings;
  /** Text of the button. Default: 'Connect'. */
  readonly words?: string;
}

export function ConnectButton({ port, settings, variant, size, words = 'Connect' }: ConnectButtonProps) {
  if (serialSupport() !== 'ready') {
    return <DemoButton port={port} settings={settings} size={size} />;
  }
  return (
    <span className={styles['split']}>
      <Button
        variant={variant}
        size={size}
        icon={<Plug />}
        aria-label={`Connect port ${port}`}
        onClick={() => void connectPicked(port, settings)}
      >
        {words}
      </Button>
      <OtherWays port={port} settings={settings} variant={variant} size={size} />
    </span>
  );
}

/** Menu with the ports that this site may already open, and the demo device. */
function OtherWays({ port, settings, variant, size }: ConnectButtonProps) {
  const [places, setPlaces] = useState<readonly PortPlace[]>([]);
  const look = async () => setPlaces(await permittedPlaces());
  const items: MenuAction[] = places.map((place) => ({
    label: `${place.index + 1}: ${deviceName(place.info)}, allowed before`,
    icon: <Cable />,
    movesFocus: true,
    onSelect: () => void connectSource(port, { kind: 'serial', place }, settings),
  }));
  return (
    <Menu
      align="end"
      items={[
        {
          label: 'Choose a port…',
          icon: <Plug />,
          movesFocus: true,
          onSelect: () => void connectPicked(port, settings),
        },
        ...items,
        'separator',
        {
          label: 'Demo board',
          icon: <FlaskConical />,
          movesFocus: true,
          onSelect: () => void connectSource(port, { kind: 'demo' }, settings),
        },
        {
          label: 'Demo Modbus line',
          icon: <FlaskConical />,
          movesFocus: true,
          onSelect: () => void connectSource(port, { kind: 'demo', model: 'modbus-line' }, settings),
        },
      ]}
      trigger={(props) => (
        <Button
          {...props}
          variant={variant}
          size={size}
          icon={<ChevronDown />}
          aria-label={`Other ways to connect port ${port}`}
          onClick={() => {
            void look();
            props.onClick();
          }}
        />
      )}
    />
  );
}

export interface DemoButtonProps extends Omit<ConnectButtonProps, 'words'> {
  readonly label?: string;
}

/** Connects a simulated board, always labelled as such. Works in every browser. */
export function DemoButton({ port, settings, variant, size, label = 'Demo' }: DemoButtonProps) {
  return (
    <Button
      variant={variant}
      size={size}
      icon={<FlaskConical />}
      aria-label={label === 'Demo' ? `Connect a demo board to port ${port}` : undefined}
      onClick={() => void connectSource(port, { kind: 'demo' }, settings)}
    >
      {label}
    </Button>
  );
}
