import { systemClock } from '@wirebench/clock';
import type { PortNumber } from '@wirebench/serial';
import { useEffect, useState } from 'react';
import { Led } from '../../../shared/ui/led.tsx';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { LedLight } from './led-light.ts';

export interface ActivityLedProps {
  readonly port: PortNumber;
  readonly direction: 'received' | 'sent';
}

/** A light in the port's colour that blinks when bytes pass. */
export function ActivityLed({ port, direction }: ActivityLedProps) {
  const [lit, setLit] = useState(false);
  useEffect(() => {
    const light = new LedLight(systemClock, setLit, matchMedia('(prefers-reduced-motion: reduce)').matches);
    let seen = benchStatus.tick.status.ports[port][direction];
    const end = benchStatus.onTick(({ status }) => {
      const bytes = status.ports[port][direction];
      if (bytes > seen) {
        light.signal();
      }
      seen = bytes;
    });
    return () => {
      end();
      light.dispose();
    };
  }, [port, direction]);
  return <Led tone={lit ? 'port' : 'off'} port={port} />;
}
