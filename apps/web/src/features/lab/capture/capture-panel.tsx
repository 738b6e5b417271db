/** Panel of logic capture. Its code is fetched when the panel is first shown. */
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import panel from '../panel.module.css';

const loadView = () => import('./capture-view.tsx');

export function CapturePanel() {
  const [wanted, setWanted] = useState(true);
  const loaded = useLoaded(wanted, loadView, () => setWanted(false));
  return (
    <section className={panel['panel']} aria-label="Logic capture">
      {loaded === null ? (
        <div className={panel['head']}>
          <h2>Logic capture</h2>
          {wanted ? (
            <span className={panel['facts']}>loading</span>
          ) : (
            <Button size="sm" onClick={() => setWanted(true)}>
              Try again
            </Button>
          )}
        </div>
      ) : (
        <loaded.CaptureView />
      )}
    </section>
  );
}
