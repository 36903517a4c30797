/**
 * An attachment in a message; a click opens it in full size.
 */
import { use } from 'react';
import { useAttachmentImageUrl } from '../../attachments/useAttachmentImage';
import { useFormats, useText } from '../../i18n';
import type { Attachment } from '../../ipc/bindings';
import { Icon } from '../../kit/controls/Icon';
import { ViewerContext } from '../state/viewerContext';

export function AttachmentView({ part }: { part: Attachment }) {
  const text = useText();
  const formats = useFormats();
  const picture = useAttachmentImageUrl(part);
  const open = use(ViewerContext);
  return (
    <figure className="Message-attachment">
      <button
        type="button"
        className="Message-open"
        data-file={part.type === 'file' ? part.name : undefined}
        aria-label={text('attach.open', { name: part.name })}
        onClick={() => {
          open({ type: 'attachment', part });
        }}
      >
        {picture !== null && <img className="Message-picture" src={picture} alt="" />}
        <Icon name={part.type} /> {part.name}
      </button>{' '}
      · {formats.size(part.bytes)}
    </figure>
  );
}
