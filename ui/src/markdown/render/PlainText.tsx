/**
 * Text without Markdown. Of a text of megabytes only the part near the view is mounted.
 */
import { memo } from 'react';
import { isLongText } from '../../kit/text/splitLongText';
import { TextPortions } from './TextPortions';
import './Markdown.css';

type PlainTextProps = {
  text: string;
  className: string;
  /** The line height, in px. */
  lineHeight: number;
};

export const PlainText = memo(function PlainText(props: PlainTextProps) {
  const { text, className, lineHeight } = props;
  if (!isLongText(text)) {
    return (
      <p className={className} dir="auto">
        {text}
      </p>
    );
  }
  return (
    <div className={className}>
      <TextPortions text={text} lineHeight={lineHeight}>
        {(portion, at) => (
          <p key={at} dir="auto">
            {portion}
          </p>
        )}
      </TextPortions>
    </div>
  );
});
