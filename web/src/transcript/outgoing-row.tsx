import type { ReactElement } from 'react'
import { CloudOff, CircleAlert, Loader } from 'lucide-react'
import type { Outgoing } from 'dragoman/client'
import { putBack } from '../composer/put-back.ts'
import { Button } from '../ui/button.tsx'
import { LongWords } from '../ui/long-words.tsx'
import { PromptBubble } from './prompt-bubble.tsx'
import styles from './outgoing-row.module.css'
import { useRowSetting, type LiveSetting } from './row-setting.ts'
import type { RowOf } from './row.ts'

/** A prompt that is not in the session yet: on its way, waiting for the server, or refused. */
export function OutgoingRow({ row: { key, outgoing } }: { readonly row: RowOf<'outgoing'> }): ReactElement {
  const { live } = useRowSetting()
  return (
    <article className={styles['outgoing']} aria-label="Your message, not sent yet">
      <PromptBubble name={key} parts={outgoing.parts} isPending />
      <div className={styles['state']} role="status">
        <Standing outgoing={outgoing} />
        {live !== null && outgoing.state !== 'sending' && (
          <Choices outgoing={outgoing} client={live.client} />
        )}
      </div>
    </article>
  )
}

function Standing({ outgoing: { state, refusal } }: { readonly outgoing: Outgoing }): ReactElement {
  switch (state) {
    case 'sending':
      return (
        <>
          <Loader size={14} aria-hidden />
          Sending…
        </>
      )
    case 'queued':
      return (
        <>
          <CloudOff size={14} aria-hidden />
          Not sent yet.
        </>
      )
    case 'refused':
      return (
        <span className={styles['refused']}>
          <CircleAlert size={14} aria-hidden />
          <LongWords text={refusal?.message || 'The server refused it and gave no reason.'} />
        </span>
      )
  }
}

function Choices({
  outgoing: { id, session, parts, state },
  client: { outbox },
}: {
  readonly outgoing: Outgoing
  readonly client: LiveSetting['client']
}): ReactElement {
  return (
    <>
      {state === 'refused' && (
        <Button small onClick={() => outbox.retry(id)}>
          Try again
        </Button>
      )}
      <Button kind="quiet" small onClick={() => outbox.discard(id) && putBack(session, parts)}>
        Edit
      </Button>
      <Button kind="quiet" small onClick={() => outbox.discard(id)}>
        Discard
      </Button>
    </>
  )
}
