import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import { describe, expect, it } from 'vitest'
import { createPuppet } from '../../sessions/puppet.fixture.ts'
import { eventually, openServed } from '../streams/served.fixture.ts'
import { createPrompter, stored } from './chat.fixture.ts'
import { openSdkChat, releases, textOf } from './sdk-chat.fixture.ts'

describe.each(releases)('a chat of the AI SDK %s', release => {
  it('[C1] a page that is reloaded in the middle shows the same as one that is not', async () => {
    const { agent, release: letGo } = createPrompter()
    const served = await openServed({ agents: [agent] })
    const one = openSdkChat(served, release, 'c')
    const sending = one.sendMessage({ text: 'one' })
    await eventually(() => textOf(one.messages.at(-1))).toBe('begin one')
    // The history of a page that was reloaded: without what runs, for clients that would double it.
    const history = (
      await served.call('listMessages', { params: { session: 'c' }, query: { exclude: 'running' } })
    ).json
    const other = openSdkChat(served, release, 'c', { messages: history.messages })
    const resuming = other.resumeStream()
    await eventually(() => textOf(other.messages.at(-1))).toBe('begin one')
    await letGo('one')
    await Promise.all([sending, resuming])
    expect([one.status, other.status]).toEqual(['ready', 'ready'])
    expect(other.messages.at(-1)).toEqual(one.messages.at(-1))
    expect(textOf(one.messages.at(-1))).toBe('begin oneend one')
    expect(one.messages).toHaveLength(2)
    await other.resumeStream()
    expect(other.status).toBe('ready')
  })

  it('[C1] sends the answer to an approval automatically after a reload', async () => {
    const served = await openServed()
    const id = await served.session()
    const one = openSdkChat(served, release, id)
    void one.sendMessage({ text: 'Show me an approval' })
    const question = () => one.messages.at(-1)?.parts.find(part => part['state'] === 'approval-requested')
    await eventually(question).toBeDefined()
    await one.stop()
    const sendAutomaticallyWhen = lastAssistantMessageIsCompleteWithApprovalResponses
    const two = openSdkChat(served, release, id, { messages: one.messages, sendAutomaticallyWhen })
    const approval = question()?.['approval'] as { readonly id: string }
    await two.addToolApprovalResponse({ id: approval.id, approved: true })
    await eventually(() => two.status === 'ready' && textOf(two.messages.at(-1)).includes('Thank you')).toBe(
      true,
    )
    const call = two.messages.at(-1)?.parts.find(part => part.type === 'dynamic-tool')
    expect(call).toMatchObject({ state: 'output-available', approval: { approved: true } })
    expect(two.messages).toHaveLength(2)
    expect(two.error).toBeUndefined()
  })

  it('[C1] edits a message and regenerates an answer', async () => {
    const served = await openServed({ agents: [createPuppet()] })
    const one = openSdkChat(served, release, 'c')
    await one.sendMessage({ text: 'one' })
    await one.sendMessage({ text: 'two' })
    await one.regenerate()
    expect(one.messages.map(textOf)).toEqual(['one', 'one', 'two', 'two'])
    const messageId = one.messages[0]?.id ?? ''
    await one.sendMessage({ text: 'changed', messageId })
    await one.sendMessage({ text: 'three' })
    expect(one.messages.map(textOf)).toEqual(['changed', 'changed', 'three', 'three'])
    const kept = await stored(served, 'c')
    expect(kept.map(textOf)).toEqual(one.messages.map(textOf))
    expect(one.error).toBeUndefined()
  })
})
