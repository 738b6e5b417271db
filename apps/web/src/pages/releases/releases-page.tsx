import { ReleaseManager } from '../../features/releases/manager/release-manager.tsx';

/** `/app/releases` */
export function ReleasesPage() {
  return <ReleaseManager />;
}
