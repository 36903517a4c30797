/**
 * "Memory and skills": what is read besides the conversation.
 */
import { useQuery } from '@tanstack/react-query';
import { useText, type Text } from '../i18n';
import { useBackend } from '../ipc';
import type { SkillFault } from '../ipc/bindings';
import { Disclosure } from '../kit/Disclosure';
import { Stack } from '../kit/Stack';
import { Switch } from '../kit/Switch';
import { keys } from '../state/reading';
import type { PageProps } from './saving';

export function MemoryPage({ settings, save }: PageProps) {
  const text = useText();
  return (
    <Stack>
      <Switch
        label={text('settings.instructions')}
        hint={text('settings.instructionsHint')}
        checked={settings.memory.instructions}
        onChange={(instructions) => {
          save((old) => ({ ...old, memory: { ...old.memory, instructions } }));
        }}
      />
      <MemoryFiles />
      <Skills settings={settings} save={save} />
    </Stack>
  );
}

function MemoryFiles() {
  const text = useText();
  const { commands } = useBackend();
  const { data: files } = useQuery({
    queryKey: [...keys.tools, 'memory'],
    queryFn: () => commands.memoryFiles(null),
  });
  return (
    <section aria-label={text('settings.memoryFiles')}>
      <h3>{text('settings.memoryFiles')}</h3>
      {files?.length === 0 && <p>{text('settings.noMemoryFiles')}</p>}
      {files?.map((file) => (
        <Disclosure
          key={file.path}
          label={text('settings.memoryFile', { path: file.path, chars: file.chars })}
        >
          <pre className="Settings-text">{file.text}</pre>
        </Disclosure>
      ))}
    </section>
  );
}

function Skills({ settings, save }: PageProps) {
  const text = useText();
  const { commands } = useBackend();
  const { data: index } = useQuery({
    queryKey: [...keys.tools, 'skills'],
    queryFn: () => commands.skills(null),
  });
  const { skills } = settings.memory;
  return (
    <section aria-label={text('settings.skills')}>
      <h3>{text('settings.skills')}</h3>
      {index?.skills.length === 0 && <p>{text('settings.noSkills')}</p>}
      <Stack>
        {index?.skills.map(({ name, description, folder }) => (
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
            <div className="Settings-path Settings-quiet">{folder}</div>
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
                <div>{skillWords(text, fault)}</div>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function skillWords(text: Text, fault: SkillFault): string {
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
