import type { ReactElement } from 'react'
import { OptionBar } from '../agents/option-bar.tsx'
import type { OptionValues } from '../agents/option-values.ts'
import { canBeChosen, readinessOf } from '../agents/readiness.ts'
import { useAgents, type ListedAgent } from '../agents/use-agents.ts'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import { Section, Setting } from './section.tsx'
import styles from './settings-page.module.css'
import type { ServerSettings, SettingsChange } from './use-settings.ts'

const profiles = {
  off: 'Off',
  lossless: 'Only repetitions',
  safe: 'Safe',
  balanced: 'Balanced',
  aggressive: 'Aggressive',
} as const

type Profile = keyof typeof profiles

const fixedWords = 'Set when the server was started: in dragoman.json, in the environment or by an option.'

/** What new sessions start with: agent, options and folder. And the context profile of all sessions. */
export function NewSessionSection({
  settings,
  refusal,
  onChange,
}: {
  readonly settings: ServerSettings
  /** Why the last change was refused. */
  readonly refusal: string | null
  readonly onChange: (change: SettingsChange) => Promise<void>
}): ReactElement {
  const { agent, context, folder } = settings
  const { agents, problem, again } = useAgents()
  const chosen = agents?.find(({ name, default: isDefault }) =>
    agent.value === null ? isDefault : name === agent.value,
  )
  return (
    <>
      <Section title="New sessions">
        {refusal !== null && (
          <p role="alert" className={styles['refusal']}>
            <InertText text={refusal} />
          </p>
        )}
        <Setting
          name={<label htmlFor="default-agent">Default agent</label>}
          about={agent.isFixed ? fixedWords : 'Saved in the server, for every browser and the command line.'}
        >
          {problem !== null && <NotRead what="agents" problem={problem} onAgain={again} />}
          {agents === null && problem === null && <Loading what="agents" />}
          {agents !== null && (
            <select
              id="default-agent"
              className={styles['select']}
              disabled={agent.isFixed}
              value={agent.value ?? ''}
              onChange={({ target }) =>
                void onChange({ agent: target.value === '' ? null : target.value }).catch(shown)
              }
            >
              <option value="">{`Best one that is ready${agent.value === null ? nowWords(chosen) : ''}`}</option>
              {agents.map(each => (
                <option key={each.name} value={each.name}>
                  {inertString(`${each.title}${canBeChosen(each) ? '' : ` (${readinessOf(each).word})`}`)}
                </option>
              ))}
            </select>
          )}
        </Setting>
        {chosen?.options && (
          <Setting
            name={`Options of ${inertString(chosen.title)}`}
            about="For new sessions that are started without options."
          >
            <AgentOptions
              key={chosen.name}
              agent={chosen}
              settings={settings}

              onChange={onChange}
            />
          </Setting>
        )}
        <Setting
          name="Default folder"
          about="The folder in which the server was started, if agents may work there."
        >
          <code>
            <InertText text={folder.default} />
          </code>
        </Setting>
      </Section>
      <Section title="Context">
        <Setting
          name={<label htmlFor="context-profile">Context trimming</label>}
          about={
            context.isFixed
              ? fixedWords
              : 'How much may be left out of what a model gets, to save tokens. For sessions that do not choose it.'
          }
        >
          <select
            id="context-profile"
            className={styles['select']}
            disabled={context.isFixed}
            value={context.value}
            onChange={({ target }) => void onChange({ context: target.value as Profile }).catch(shown)}
          >
            {Object.entries(profiles).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </Setting>
      </Section>
    </>
  )
}

const nowWords = (agent: ListedAgent | undefined) =>
  agent === undefined ? '' : ` (now ${inertString(agent.title)})`

function AgentOptions({
  agent,
  settings,
  onChange,
}: {
  readonly agent: ListedAgent
  readonly settings: ServerSettings
  readonly onChange: (change: SettingsChange) => Promise<void>
}): ReactElement | null {
  if (agent.options === null) return null
  return (
    <OptionBar
      schema={agent.options}
      values={(settings.options[agent.name] ?? none) as OptionValues}
      hindrance={null}
      onChange={(_, all) =>
        onChange({ options: { [agent.name]: Object.keys(all).length === 0 ? null : all } })
      }
    />
  )
}

/** The reason is shown above the settings. */
const shown = () => undefined

const none: OptionValues = {}
