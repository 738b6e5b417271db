/** Place of the selected device's panel. The panel's code is fetched when a device is selected. */
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import panel from '../panel.module.css';
import { useLab } from '../store/lab-store.ts';

const loadPanel = () => import('./device-panel.tsx');
const nothing = () => undefined;

export function DeviceDock() {
  const address = useLab(({ device }) => device);
  const isOpen = useLab(({ tick }) => tick.i2c !== null);
  const wanted = address !== null && isOpen;
  const loaded = useLoaded(wanted, loadPanel, nothing);
  if (wanted && loaded !== null) {
    return <loaded.DevicePanel key={address} address={address} />;
  }
  return (
    <section className={panel['panel']} aria-label="Device">
      <div className={panel['head']}>
        <h2>Device</h2>
      </div>
      <p className={panel['note']} aria-busy={wanted || undefined}>
        {wanted ? '' : 'Scan the I2C bus and choose a device.'}
      </p>
    </section>
  );
}
