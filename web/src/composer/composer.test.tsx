// @vitest-environment jsdom
import { act } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useClient, useReadable } from 'dragoman/react'
import { Composer } from './composer.tsx'
import { fakeSession } from './fake-session.fixture.ts'
import { calm, pressKey, render, type, wait } from './render.fixture.tsx'

afterEach(() => {
  localStorage.clear()
  vi.unstubAllGlobals()
})

const words = (text: string) => [{ type: 'text', text }]
const running = { status: 'running', running: { interaction: 'i1', trigger: 'user', seq: 1 }, pending: [] }

async function open(id: string) {
  const fake = fakeSession(id)
  const page = await render(<Composer session={fake.session} />)
  return { ...fake, ...page, message: () => page.field('Message') }
}

describe('the composer', () => {
  it('[W3] sends with Enter and with its button, and is empty afterwards', async () => {
    const { message, press, button, asked } = await open('sends')
    expect(button('Send')?.disabled).toBe(true)
    await type(message(), 'one')
    await pressKey(message(), 'Enter', { shiftKey: true })
    expect(asked).toEqual([])
    await pressKey(message(), 'Enter')
    await type(message(), 'two')
    await press('Send')
    expect(asked).toEqual([
      ['prompt', words('one')],
      ['prompt', words('two')],
    ])
    expect(message()?.value).toBe('')
  })

  it('[W3] keeps a draft for each session', async () => {
    const first = await open('drafts')
    await type(first.message(), 'half a')
    await first.unmount()
    expect((await open('others')).message()?.value).toBe('')
    expect((await open('drafts')).message()?.value).toBe('half a')
  })

  it('[W3] restores earlier prompts with the arrow keys', async () => {
    const { message, set } = await open('history')
    set('messages', [
      { id: 'm1', role: 'user', parts: words('first') },
      { id: 'm2', role: 'assistant', parts: words('an answer') },
      { id: 'm3', role: 'user', parts: words('second') },
    ])
    await pressKey(message(), 'ArrowUp')
    await pressKey(message(), 'ArrowUp')
    expect(message()?.value).toBe('first')
    await pressKey(message(), 'ArrowDown')
    expect(message()?.value).toBe('second')
    await pressKey(message(), 'ArrowDown')
    expect(message()?.value).toBe('')
  })

  it('[W3] lists queued prompts, and takes one back for editing', async () => {
    const { message, set, press, asked, place } = await open('queue')
    await act(async () => set('queue', [{ prompt: 'p1', parts: words('later'), held: true }]))
    expect(place.textContent).toContain('On hold')
    await press('Continue')
    await type(message(), 'now')
    await press('Edit this prompt')
    expect(asked).toEqual([['continue']])
    await wait(calm)
    await press('Edit this prompt')
    expect(asked).toEqual([['continue'], ['withdraw', 'p1']])
    expect(message()?.value).toBe('later')
  })

  it('[W3] sets the draft aside while a queued prompt is edited, and restores it', async () => {
    const { message, set, press, place } = await open('aside')
    const edit = async () => {
      await act(async () => set('queue', [{ prompt: 'p1', parts: words('later'), held: false }]))
      await wait(calm)
      await press('Edit this prompt')
      await act(async () => set('queue', []))
    }
    await type(message(), 'half a thought')
    await edit()
    expect(place.textContent).toContain('Your earlier draft comes back when you send this.')
    await press('Send')
    expect(message()?.value).toBe('half a thought')
    expect(place.textContent).not.toContain('comes back')
    await edit()
    await press('Add it here')
    expect(message()?.value).toBe('later\n\nhalf a thought')
  })

  it('[W7] moves the focus from a removed prompt to the next one, the previous one, or the message field', async () => {
    const { message, set, place, asked } = await open('gone')
    const waits = (prompt: string) => ({ prompt, parts: words(prompt), held: false })
    const leave = (...prompts: readonly string[]) => act(async () => set('queue', prompts.map(waits)))
    const buttons = (name: string) => [...place.querySelectorAll<HTMLElement>(`[aria-label="${name}"]`)]
    await leave('a', 'b', 'c')
    await wait(calm)
    buttons('Remove this prompt')[1]?.focus()
    await act(async () => buttons('Remove this prompt')[1]?.click())
    expect(asked).toEqual([['withdraw', 'b']])
    await leave('a', 'c')
    expect(document.activeElement).toBe(buttons('Remove this prompt')[1])
    await leave('a')
    expect(document.activeElement).toBe(buttons('Remove this prompt')[0])
    await leave()
    expect(document.activeElement).toBe(message())
  })

  it('[W7] leaves the focus alone when it is elsewhere and a prompt is removed', async () => {
    const { set, place } = await open('elsewhere')
    await act(async () => set('queue', [{ prompt: 'a', parts: words('a'), held: false }]))
    await wait(calm)
    const button = place.querySelector<HTMLElement>('[aria-label="Remove this prompt"]')
    button?.focus()
    button?.blur()
    await act(async () => set('queue', []))
    expect(document.activeElement).toBe(document.body)
  })

  it('[W3] warns before editing that a prompt loses its place in the queue, if others follow', async () => {
    const { set, place, button } = await open('order')
    const waits = (prompt: string, held = false) => ({ prompt, parts: words(prompt), held })
    const isWarned = () => place.textContent.includes('moves it to the end')
    await act(async () => set('queue', [waits('a'), waits('b', true)]))
    expect(isWarned()).toBe(false)
    await act(async () => set('queue', [waits('a'), waits('b')]))
    expect(isWarned()).toBe(true)
    const notes = button('Edit this prompt')?.getAttribute('aria-describedby')?.split(' ') ?? []
    const [which, order] = notes.map(note => document.getElementById(note)?.textContent)
    expect([which, order?.includes('moves it to the end')]).toEqual(['a', true])
  })

  it('[W3] shows prompts that were on hold as queued at once when continued, after the already queued ones', async () => {
    const { set, press, button, place, facts } = await open('let-go')
    const held = { prompt: 'p1', parts: words('later'), held: true }
    const badge = () => place.querySelector('li')?.textContent
    await act(async () => {
      set('status', running)
      set('queue', [held])
    })
    expect(place.textContent).toContain('New prompts run first.')
    await press('Continue')
    expect(badge()).toContain('Queued')
    expect([place.textContent.includes('On hold'), button('Continue')]).toEqual([false, undefined])
    // A reply from before the change has no effect.
    await act(async () => set('queue', [{ ...held }]))
    expect(badge()).toContain('Queued')
    await act(async () => set('facts', { ...facts, archived: true }))
    await act(async () => set('facts', facts))
    expect(badge()).toContain('On hold')
  })

  it('[W3] keeps prompts held when releasing them fails', async () => {
    const { set, press, refuse, place } = await open('not-let-go')
    refuse('continue', new Error('Can’t reach the server.'))
    await act(async () => set('queue', [{ prompt: 'p1', parts: words('later'), held: true }]))
    await press('Continue')
    expect(place.querySelector('li')?.textContent).toContain('On hold')
  })

  it('[W3] leaves a prompt in place when it has started already', async () => {
    const { message, set, press, refuse } = await open('begun')
    refuse('withdraw', new Error('It may have begun already.'))
    await act(async () => set('queue', [{ prompt: 'p1', parts: words('later'), held: false }]))
    await wait(calm)
    await press('Edit this prompt')
    expect(message()?.value).toBe('')
  })

  it('[W3] stops the running turn, and reports the result', async () => {
    const { set, press, button, place, asked } = await open('stop')
    expect(button('Stop')).toBeUndefined()
    await act(async () => set('status', running))
    await press('Stop')
    expect(asked).toEqual([['interrupt']])
    expect(button('Stop')?.disabled).toBe(true)
    expect(place.textContent).toContain('Stopping…')
    const event = { type: 'interaction-ended', interaction: 'i1', outcome: 'interrupted', reason: null }
    await act(async () => {
      set('events', [{ seq: 2, event }])
      set('status', { ...running, running: null })
    })
    expect(place.textContent).toContain('Stopped.')
    expect(button('Stop')).toBeUndefined()
    const next = { ...running, running: { ...running.running, interaction: 'i2' } }
    await act(async () => set('status', next))
    expect(place.textContent).not.toContain('Stopped.')
    await act(async () => set('status', { ...next, running: null }))
    expect(place.textContent).not.toContain('Stopped.')
  })

  it('[W3] accepts pasted files, lists them, and sends them', async () => {
    const { message, place, press, asked } = await open('files')
    const file = new File(['hello'], 'note.ts', { type: 'video/mp2t' })
    const paste = new Event('paste', { bubbles: true, cancelable: true })
    Object.assign(paste, { clipboardData: { types: ['Files'], files: [file] } })
    await act(async () => message()?.dispatchEvent(paste))
    const shown = async () => {
      await wait(1)
      return place.textContent
    }
    await expect.poll(shown).toContain('note.ts')
    await press('Send')
    const url = `data:text/plain;base64,${btoa('hello')}`
    expect(asked).toEqual([['prompt', [{ type: 'file', url, mediaType: 'text/plain', filename: 'note.ts' }]]])
  })

  it('[W3] explains that nothing can be stopped while the server is unreachable', async () => {
    const { session, set, asked } = fakeSession('lost')
    const Watching = () => void useReadable(useClient().running)
    const answer = (address: string) =>
      address.includes('/live/') ? new Response('', { status: 502 }) : Response.json({ sessions: [] })
    const page = [<Watching key="watching" />, <Composer key="composer" session={session} />]
    const { button, press, place } = await render(<>{page}</>, { answer })
    await act(async () => set('status', running))
    expect(button('Stop')?.disabled).toBe(false)
    await wait(1000)
    expect(button('Stop')?.disabled).toBe(true)
    await press('Stop')
    expect(asked).toEqual([])
    expect(place.textContent).toContain('You can stop it once the server is back.')
  })

  it('[W3] is closed in an archived session, explains why, and can unarchive it', async () => {
    const { message, set, press, place, facts, asked } = await open('archived')
    await act(async () => set('facts', { ...facts, archived: true }))
    expect(message()?.disabled).toBe(true)
    expect(place.textContent).toContain('This session is archived.')
    await press('Restore')
    expect(asked).toEqual([['archive', false]])
  })

  it('[W3] shows no advice when the agent is ready for this session', async () => {
    const { session } = fakeSession('own-command')
    const more = { status: 'missing', advice: 'Install it.' }
    const answer = (address: string) =>
      address.endsWith('/api/agents?session=own-command')
        ? Response.json({ agents: [{ name: 'scripted', status: 'ready', advice: null, capabilities: {} }] })
        : null
    const { place } = await render(<Composer session={session} />, { more, answer })
    await wait(20)
    expect(place.textContent).not.toContain('not found')
  })

  it('[W3] shows advice when the agent is not ready', async () => {
    const { session, set } = fakeSession('advice')
    const more = { status: 'missing', advice: 'Install it.' }
    const { place } = await render(<Composer session={session} />, { more })
    expect(place.textContent).toContain('Scripted agent is not installed on this machine. Install it.')
    await act(async () => set('status', running))
    expect(place.textContent).not.toContain('not found')
  })
})
