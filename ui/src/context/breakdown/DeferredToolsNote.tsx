/**
 * The tools of servers that a request does not declare: what that saves, and which of them are loaded.
 */
import { useFormats, useText } from '../../i18n';
import type { BreakdownPart, DeferredToolsReport } from '../../ipc/bindings';
import { Disclosure } from '../../kit/controls/Disclosure';
import { escapeInvisible } from '../../kit/text/invisibleChars';
import { useEstimateText } from '../../state/text/costText';

export function DeferredToolsNote({ report }: { report: DeferredToolsReport }) {
  const text = useText();
  const formats = useFormats();
  const estimateText = useEstimateText();
  const { loaded, notLoaded, saved, savedCost } = report;
  const isPriced = savedCost?.type === 'between' || savedCost?.type === 'atLeast';
  const cost = isPriced ? estimateText(savedCost) : null;
  const count = notLoaded.length;
  const tokens = formats.exact(saved);
  return (
    <div className="ContextDialog-note">
      <p>
        {text('sentTools.deferredTools', { count })}{' '}
        {cost === null
          ? text('sentTools.deferredSaves', { tokens })
          : text('sentTools.deferredSavesCost', { tokens, cost })}
      </p>
      {loaded.length > 0 && (
        <p>{text('sentTools.loadedTools', { names: loaded.map(nameOf).join(', ') })}</p>
      )}
      {count > 0 && (
        <Disclosure label={text('sentTools.deferredNames')}>
          <ul className="ContextDialog-tools">
            {notLoaded.map((part) => (
              <li key={nameOf(part)}>
                {text('sentTools.deferredTool', {
                  name: nameOf(part),
                  tokens: formats.exact(part.tokens),
                })}
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  );
}

const nameOf = ({ label }: BreakdownPart) =>
  label.type === 'named' ? escapeInvisible(label.name) : '';
