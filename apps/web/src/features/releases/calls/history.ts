/** The history of a project: page by page for the screen, as a whole for a file. */
import { firmwarePaths, History } from '@wirebench/contract';
import { api } from '../../../shared/api/api.ts';

const PAGE = 50;

/** Newest first. @param skip how many lines are there already. */
export async function historyOf(projectId: string, skip: number, signal: AbortSignal): Promise<History> {
  return (await api()).request(firmwarePaths.projectHistory(projectId), History, {
    query: { limit: PAGE, skip },
    signal,
  });
}

/** Every line as CSV. */
export async function historyFile(projectId: string): Promise<Blob> {
  const response = await (await api()).send(firmwarePaths.projectHistory(projectId), { query: { format: 'csv' } });
  return response.blob();
}
