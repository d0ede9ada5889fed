import type { ReactElement } from 'react'
import type { Client } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { RuleTable } from '../approvals-page/rule-table.tsx'
import { useLedger } from '../approvals-page/use-ledger.ts'
import { InertText } from '../safety/inert-text.tsx'
import { Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { toastError } from '../ui/toast.ts'
import { useFetched } from '../ui/use-fetched.ts'
import { AccessSection } from './access-section.tsx'
import { AppearanceSection, NotificationSection } from './browser-sections.tsx'
import { NewSessionSection } from './new-session-section.tsx'
import { PriceSection } from './price-section.tsx'
import { Section, Setting } from './section.tsx'
import styles from './settings-page.module.css'
import { useSettings } from './use-settings.ts'

/** The settings of this browser and of the server. */
export function SettingsPage(): ReactElement {
  const { settings, problem, again, refusal, change } = useSettings()
  return (
    <div className={styles['page']}>
      <h1 className={styles['title']}>Settings</h1>
      <AppearanceSection />
      <NotificationSection />
      {settings === null && problem === null && <Loading what="settings" />}
      {problem !== null && <NotRead what="settings of the server" problem={problem} onAgain={again} />}
      {settings !== null && <NewSessionSection settings={settings} refusal={refusal} onChange={change} />}
      <ImportSection />
      {settings !== null && <PriceSection prices={settings.prices} />}
      <RuleSection />
      <AccessSection data={settings?.folder.data ?? null} />
      {settings !== null && (
        <Section title="Server">
          <Setting name="Data folder">
            <code>
              <InertText text={settings.folder.data} />
            </code>
          </Setting>
          <Setting
            name="Folders that agents may work in"
            about="Set them with --root, DRAGOMAN_ROOTS or in dragoman.json, and restart the server."
          >
            {settings.folder.roots.map(root => (
              <code key={root}>
                <InertText text={root} />
              </code>
            ))}
          </Setting>
        </Section>
      )}
    </div>
  )
}

const loadImports = (client: Client, signal: AbortSignal) =>
  client.call('GET /api/imports', undefined, { signal })

/** What agents saved on this machine, and whether it is followed. */
function ImportSection(): ReactElement {
  const client = useClient()
  const { data, again } = useFetched(['imports'], loadImports)
  const follow = (following: boolean) =>
    void client.call('PATCH /api/imports', { body: { following } }).then(again, toastError)
  return (
    <Section title="Import">
      <Setting
        name="Sessions of agents on this machine"
        about="The start page lists the sessions that agents saved here, and imports them."
      >
        <PlaceLink to={{ page: 'welcome' }}>Go to the start page</PlaceLink>
      </Setting>
      {data !== null && (
        <Setting
          name="Follow agents in their own terminals"
          about={
            data.following.by === 'configuration'
              ? 'Set with --follow-transcripts, DRAGOMAN_FOLLOW_TRANSCRIPTS or in dragoman.json.'
              : 'What you do there appears here within seconds. Files of agents are only read.'
          }
        >
          <label>
            <input
              type="checkbox"
              aria-label="Follow agents"
              checked={data.following.on}
              disabled={data.following.by === 'configuration'}
              onChange={({ target }) => follow(target.checked)}
            />{' '}
            Follow
          </label>
        </Setting>
      )}
    </Section>
  )
}

function RuleSection(): ReactElement {
  const { rules, again, isLoading, problem, retry } = useLedger()
  if (rules.length > 0) return <RuleTable rules={rules} onRevoked={again} />
  return (
    <Section title="Always allowed">
      {problem !== null && <NotRead what="rules" problem={problem} onAgain={retry} />}
      {problem === null && isLoading && <Loading what="rules" />}
      {problem === null && !isLoading && (
        <p className={styles['about']}>
          There are no rules. “Always allow” at an approval makes one, and you can revoke it here.
        </p>
      )}
    </Section>
  )
}
