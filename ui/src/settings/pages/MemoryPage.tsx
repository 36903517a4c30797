/**
 * "Memory and skills": the files that models get besides the conversation.
 */
import { useFormats, useText, type Translate } from '../../i18n';
import type { SkillError } from '../../ipc/bindings';
import { Disclosure } from '../../kit/controls/Disclosure';
import { ErrorBoundary } from '../../kit/display/ErrorBoundary';
import { Stack } from '../../kit/display/Stack';
import { Switch } from '../../kit/fields/Switch';
import { useInstructionFiles, useSkills } from '../../state/queries/toolQueries';
import { GlobalInstructions } from './GlobalInstructions';
import { ConfigFolderLink } from '../fields/FolderLink';
import { UserPrompts } from './UserPrompts';
import type { SessionSettingsPageProps } from '../useSaveSettings';

export function MemoryPage(page: SessionSettingsPageProps) {
  const text = useText();
  const { settings, save, session } = page;
  return (
    <Stack>
      <GlobalInstructions settings={settings} save={save} />
      <Switch
        label={text('settings.instructions')}
        hint={text('settings.instructionsHint')}
        checked={settings.memory.instructions}
        onChange={(instructions) => {
          save((old) => ({ ...old, memory: { ...old.memory, instructions } }));
        }}
      />
      <p className="Settings-quiet">{text('toolSettings.folderNow')}</p>
      <ErrorBoundary holds={session}>
        {settings.memory.instructions && <MemoryFiles session={session} />}
      </ErrorBoundary>
      <ErrorBoundary holds={session}>
        <Skills {...page} />
      </ErrorBoundary>
      <ErrorBoundary holds={session}>
        <UserPrompts />
      </ErrorBoundary>
    </Stack>
  );
}

function MemoryFiles({ session }: Pick<SessionSettingsPageProps, 'session'>) {
  const text = useText();
  const { data: files } = useInstructionFiles(session);
  return (
    <section aria-label={text('settings.memoryFiles')}>
      <h3>{text('settings.memoryFiles')}</h3>
      {files?.length === 0 && (
        <>
          <p>{text('settings.noMemoryFiles')}</p>
          <ConfigFolderLink />
        </>
      )}
      {files?.map((file) => (
        <Disclosure
          key={file.path}
          label={text('settings.memoryFile', { path: file.path, chars: file.chars })}
        >
          <p className="Settings-quiet">{text(`toolSettings.scope_${file.scope}`)}</p>
          {file.read < file.chars && (
            <p data-failed>{text('settings.memoryCut', { read: file.read, chars: file.chars })}</p>
          )}
          <pre className="Settings-text">{file.text}</pre>
        </Disclosure>
      ))}
    </section>
  );
}

function Skills({ settings, save, session }: SessionSettingsPageProps) {
  const text = useText();
  const formats = useFormats();
  const { data: index } = useSkills(session);
  const { skills } = settings.memory;
  return (
    <section aria-label={text('settings.skills')}>
      <h3>{text('settings.skills')}</h3>
      {index?.skills.length === 0 && (
        <>
          <p>{text('settings.noSkills')}</p>
          <pre className="Settings-text">{text('settings.skillExample')}</pre>
          <ConfigFolderLink />
        </>
      )}
      <Stack>
        {index?.skills.map(({ name, description, origin, folder, allowedTools }) => (
          <div key={name}>
            <Switch
              label={name}
              hint={description}
              checked={skills[name] !== 'off'}
              onChange={(on) => {
                save((old) => ({
                  ...old,
                  memory: {
                    ...old.memory,
                    skills: { ...old.memory.skills, [name]: on ? 'on' : 'off' },
                  },
                }));
              }}
            />
            <div className="Settings-quiet">
              {text(`toolSettings.origin_${origin}`)}{' '}
              <span className="Settings-path">{folder}</span>
            </div>
            {allowedTools.length > 0 && (
              <div className="Settings-quiet">
                {text('toolSettings.wants', { tools: formats.list(allowedTools) })}
              </div>
            )}
          </div>
        ))}
      </Stack>
      {index && index.problems.length > 0 && (
        <>
          <h3>{text('settings.skillProblems')}</h3>
          <ul className="Settings-list">
            {index.problems.map(({ folder, fault }) => (
              <li key={folder}>
                <span className="Settings-path">{folder}</span>
                <div>{skillErrorText(text, fault)}</div>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function skillErrorText(text: Translate, fault: SkillError): string {
  switch (fault.type) {
    case 'unreadable':
    case 'badFrontMatter':
      return text(`settings.skill_${fault.type}`, { detail: fault.detail });
    case 'noFrontMatter':
      return text('settings.skill_noFrontMatter');
    case 'badName':
    case 'otherName':
      return text(`settings.skill_${fault.type}`, { name: fault.name });
    case 'badDescription':
      return text('settings.skill_badDescription', { chars: fault.chars });
    case 'hidden':
      return text('settings.skill_hidden', { by: fault.by });
  }
}
