/**
 * Keeps an error in one part of the app window: it shows the reason and retries on request, or when `holds`
 * changes.
 */
import { use, useEffect, type ReactNode } from 'react';
import { ErrorBoundary as Base, type FallbackProps } from 'react-error-boundary';
import { useText } from '../../i18n';
import { Banner } from './Banner';
import { Button } from '../controls/Button';
import { ErrorContext } from './errorContext';
import { Disclosure } from '../controls/Disclosure';

type ErrorBoundaryProps = {
  /** The key of the content; another key resets the boundary. */
  holds: unknown;
  /** Replaces the default error view. */
  instead?: (failure: ReactNode) => ReactNode;
  children: ReactNode;
};

export function ErrorBoundary({
  holds,
  instead = (failure) => failure,
  children,
}: ErrorBoundaryProps) {
  // Reset before the content renders again, which would find the same failed query.
  const { forget } = use(ErrorContext);
  return (
    <Base
      resetKeys={[holds]}
      onReset={forget}
      fallbackRender={(failure) => instead(<ErrorFallback {...failure} />)}
    >
      {children}
    </Base>
  );
}

function ErrorFallback({ error: thrown, resetErrorBoundary }: FallbackProps) {
  const text = useText();
  const { words: wordsOf, forget } = use(ErrorContext);
  const words = wordsOf(thrown);
  // The boundary may go away with its error.
  useEffect(() => forget, [forget]);
  const again = (
    <Button
      onClick={() => {
        resetErrorBoundary();
      }}
    >
      {text('kit.tryAgain')}
    </Button>
  );
  if (words !== null) {
    return (
      <Banner kind="danger" actions={again}>
        {words}
      </Banner>
    );
  }
  return (
    <Banner
      kind="danger"
      actions={
        <>
          {again}
          <Button
            onClick={() => {
              window.location.reload();
            }}
          >
            {text('kit.reload')}
          </Button>
        </>
      }
    >
      <strong>{text('kit.failedTitle')}</strong>
      <p>{text('kit.failedAdvice')}</p>
      <Disclosure label={text('kit.errorDetails')}>
        <code>{thrown instanceof Error ? thrown.message : String(thrown)}</code>
      </Disclosure>
    </Banner>
  );
}
