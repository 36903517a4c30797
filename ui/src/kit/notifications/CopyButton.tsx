/**
 * A button that copies, and confirms it with a tick and an announcement.
 */
import { useEffect, useState } from 'react';
import { useText } from '../../i18n';
import { useAnnounce } from './LiveRegion';
import { Button } from '../controls/Button';
import { IconButton } from '../controls/IconButton';
import { useToast } from './Toast';

/** How long the tick is shown, in ms. */
const tickMs = 2_000;

type CopyButtonProps = {
  label: string;
  /** The label is visible; else it is a tooltip. */
  worded?: boolean;
  /** Writes to the clipboard. */
  copy: () => Promise<unknown>;
};

export function CopyButton({ label, worded = false, copy }: CopyButtonProps) {
  const text = useText();
  const announce = useAnnounce();
  const toast = useToast();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => {
      setCopied(false);
    }, tickMs);
    return () => {
      clearTimeout(timer);
    };
  }, [copied]);

  const press = () => {
    copy().then(
      () => {
        setCopied(true);
        announce(text('kit.copied'));
      },
      () => {
        toast({ words: text('kit.notCopied'), failed: true });
      },
    );
  };
  const icon = copied ? 'check' : 'copy';
  return worded ? (
    <Button icon={icon} onClick={press}>
      {label}
    </Button>
  ) : (
    <IconButton label={label} icon={icon} onClick={press} />
  );
}
