import { useState, type ReactElement } from 'react'
import { useClient } from 'dragoman/react'
import { InertText } from '../safety/inert-text.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { toastError } from '../ui/toast.ts'
import { Section, Setting } from './section.tsx'
import styles from './settings-page.module.css'

/** How other browsers and programs get in, and how browsers are signed out. */
export function AccessSection({ data }: { readonly data: string | null }): ReactElement {
  const client = useClient()
  const [link, setLink] = useState<string | null>(null)
  const [isSure, setSure] = useState(false)
  const signOut = () => void client.call('POST /api/sign-out').then(() => location.assign('/'), toastError)
  const create = () => void client.call('POST /api/tickets').then(({ url }) => setLink(url), toastError)
  return (
    <Section title="Access">
      <Setting
        name="Another browser"
        about={
          <>
            A sign-in link works once, for 5 minutes. In a terminal, <code>dragoman open</code> opens a
            browser or prints one.
          </>
        }
      >
        <Button onClick={create}>Create sign-in link</Button>
        {link !== null && (
          <span className={styles['link']}>
            <code>{link}</code>
            <CopyButton text={link} label="Copy the sign-in link" />
          </span>
        )}
      </Setting>
      <Setting
        name="Programs"
        about="They send the API token. Who has it can do everything that you can do here."
      >
        {data === null ? (
          <p>The token is in the data folder.</p>
        ) : (
          <code>
            <InertText text={`${data}/token`} />
          </code>
        )}
      </Setting>
      <Setting
        name="Browsers"
        about="Ends the sign-in of every browser, also of this one. Programs keep their token."
      >
        {isSure ? (
          <span className={styles['link']}>
            <Button kind="danger" onClick={signOut}>
              Sign out every browser now
            </Button>
            <Button onClick={() => setSure(false)}>Cancel</Button>
          </span>
        ) : (
          <Button onClick={() => setSure(true)}>Sign out every browser</Button>
        )}
      </Setting>
    </Section>
  )
}
