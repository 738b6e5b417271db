/** Running uploads and the free space for them. */
import type { UploadAdmission } from '../admission/upload-admission.ts';
import { gauge, type Metric } from './exposition.ts';

/** @param freeBytes Returns the free bytes of the disk that uploads are written to. */
export function uploadMetrics(uploads: UploadAdmission, freeBytes: () => Promise<number>): readonly Metric[] {
  return [
    gauge('wirebench_uploads_in_progress', 'Uploads in progress.', () => uploads.inProgress),
    {
      name: 'wirebench_disk_free_bytes',
      help: "Room on the disk of DATA_DIR; missing when it can't be found out.",
      type: 'gauge',
      samples: async () =>
        await freeBytes().then(
          (value) => [{ value }],
          () => [],
        ),
    },
  ];
}
