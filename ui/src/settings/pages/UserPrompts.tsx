/**
 * The user's own prompts, errors of other files in their folder, and how to create the first one.
 */
import { useText, type Translate } from '../../i18n';
import type { PromptError } from '../../ipc/bindings';
import { required } from '../../state/queries/queries';
import { useUserPrompts } from '../../state/queries/useUserPrompts';
import { FolderLink, ConfigFolderLink } from '../fields/FolderLink';

export function UserPrompts() {
  const text = useText();
  const { data } = useUserPrompts(required);
  if (!data) return null;
  const { folder, prompts, problems } = data;
  return (
    <section aria-label={text('settings.prompts')}>
      <h3>{text('settings.prompts')}</h3>
      {prompts.length === 0 && (
        <>
          <p>{text('settings.noPrompts', { variable: '{{…}}' })}</p>
          <ConfigFolderLink />
        </>
      )}
      {prompts.length > 0 && (
        <>
          <ul className="Settings-list">
            {prompts.map(({ name, description }) => (
              <li key={name}>
                <span className="Settings-path">/{name}</span>
                {description !== null && <div className="Settings-quiet">{description}</div>}
              </li>
            ))}
          </ul>
          <FolderLink label={text('settings.promptsFolder')} path={folder} />
        </>
      )}
      {problems.length > 0 && (
        <>
          <h3>{text('settings.promptProblems')}</h3>
          <ul className="Settings-list">
            {problems.map(({ file, fault }) => (
              <li key={file}>
                <span className="Settings-path">{file}</span>
                <div>{promptErrorText(text, fault)}</div>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function promptErrorText(text: Translate, fault: PromptError): string {
  switch (fault.type) {
    case 'unreadable':
    case 'badFrontMatter':
      return text(`settings.prompt_${fault.type}`, { detail: fault.detail });
    case 'badName':
    case 'empty':
      return text(`settings.prompt_${fault.type}`);
    case 'taken':
      return text('settings.prompt_taken', { by: fault.by });
  }
}
