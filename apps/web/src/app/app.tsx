import { BrowserRouter } from 'react-router';
import { CopyByHand } from '../shared/files/copy-by-hand.tsx';
import { Toaster } from '../shared/ui/toaster.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { RouterFrame } from './router-frame.tsx';
import { AppRoutes } from './routes.tsx';
import { UpdateOffer } from './update-offer.tsx';

export function App() {
  return (
    <ErrorBoundary>
      <BrowserRouter>
        <RouterFrame>
          <AppRoutes />
        </RouterFrame>
      </BrowserRouter>
      <UpdateOffer />
      <Toaster />
      <CopyByHand />
    </ErrorBoundary>
  );
}
