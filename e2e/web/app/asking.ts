import assert from 'node:assert/strict'
import type { Step } from '../../../src/agents/scripted/script.ts'
import type { Json } from '../../../src/protocol/json.ts'
import type { Scenarios } from './scenario.ts'
import { askOnTheSide, askToRun, openSession, scriptedSession, words } from './scripted.ts'
import { dock, messageBox, sendPrompt, transcript } from './steps.ts'

const colour: Step = { type: 'question', question: 'Which colour?', options: ['red', 'green'] }

const askFor = (tool: string, input: Json): Step => ({ type: 'approval', tool, input, output: 'Done.' })

const laptop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

/** Whether a request is wider than its container, makes the page longer than the window, or has no space in it. */
function lookAtDock(card: Element) {
  const shown = [...card.querySelectorAll('pre, dd')].map(each => each.parentElement ?? each)
  const main = document.querySelector('main') ?? document.body
  return {
    isWide: card.scrollWidth > card.clientWidth + 1 || document.body.scrollWidth > window.innerWidth,
    isLong: main.scrollHeight > main.clientHeight + 1,
    isSquashed: shown.some(
      each =>
        each.clientHeight < Math.min(120, each.scrollHeight) ||
        [...each.querySelectorAll('dd')].some(({ clientWidth }) => clientWidth < 120),
    ),
  }
}

/** Holds back all messages to workers until the page gets the event "release-workers". */
function holdWorkers() {
  let isHeld = true
  window.addEventListener('release-workers', () => (isHeld = false), { once: true })
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its worker
  Worker.prototype.postMessage = new Proxy(Worker.prototype.postMessage, {
    apply(post, worker, given) {
      const send = () => void Reflect.apply(post, worker, given)
      if (isHeld) window.addEventListener('release-workers', send, { once: true })
      else send()
    },
  })
}

/** Records the notifications of a page that believes it is hidden. */
function hideAndListen(): void {
  const notified: string[] = []
  class Listener extends EventTarget {
    static readonly permission = 'granted'
    constructor(title: string, { body }: { readonly body: string }) {
      super()
      notified.push(`${title}: ${body}`)
    }
  }
  Object.assign(globalThis, { Notification: Listener, notified })
  Object.defineProperty(document, 'hidden', { get: () => true })
  document.dispatchEvent(new Event('visibilitychange'))
}

/** Other kinds of requests, and where the user sees them. */
export const asking: Scenarios = {
  'a question is answered by an option, and another by free text': {
    pace: '0',
    async play(room) {
      const session = await scriptedSession(room, [colour, colour, words('Painted.')])
      const page = await openSession(room, session)
      await sendPrompt(page, 'paint the door')
      assert.ok(await dock(page).getByRole('button', { name: 'Answer' }).isDisabled())
      await dock(page).getByRole('radio', { name: 'green' }).check()
      await dock(page).getByRole('button', { name: 'Answer' }).click()
      await transcript(page).getByText('Answered by you').first().waitFor()
      // The next question looks the same, but no option is chosen yet.
      await dock(page).getByRole('radio', { name: 'green', checked: false }).waitFor()
      await dock(page).getByRole('textbox', { name: 'Another answer' }).fill('like the sea')
      await dock(page).getByRole('button', { name: 'Answer' }).click()
      await transcript(page).getByText('Painted.').waitFor()
      const { messages } = await room.client.call('listMessages', { params: { session } })
      const all = JSON.stringify(messages)
      for (const answer of ['green', 'like the sea'])
        assert.ok(all.includes(`{"answers":{"Which colour?":"${answer}"}}`), `${answer}: ${all}`)
    },
  },
  'a plan is rendered, and carried out when it is allowed': {
    pace: '0',
    async play(room) {
      const plan = '## The plan\n\n1. Look around\n2. Paint it **green**'
      const ask: Step = { type: 'approval', tool: 'ExitPlanMode', input: { plan }, output: 'Go on.' }
      const session = await scriptedSession(room, [ask, words('Carried out.')])
      const page = await openSession(room, session)
      await sendPrompt(page, 'plan it')
      await dock(page).getByText('Carry out this plan?').waitFor()
      await dock(page).getByRole('heading', { name: 'The plan' }).waitFor()
      assert.equal(
        await dock(page)
          .getByRole('button', { name: /^Always/ })
          .count(),
        0,
      )
      await dock(page)
        .getByRole('button', { name: /^Allow/ })
        .click()
      await transcript(page).getByText('Carried out.').waitFor()
    },
  },
  'several requests are all shown, and answered beside the call or in the dock': {
    pace: '0',
    async play(room) {
      const steps = [...askOnTheSide('one'), ...askOnTheSide('two'), askToRun('rm three'), words('Well.')]
      const session = await scriptedSession(room, steps)
      const page = await openSession(room, session)
      await sendPrompt(page, 'clean up')
      await dock(page).getByText('1 of 3').waitFor()
      await dock(page).getByRole('button', { name: 'Next request' }).click()
      await dock(page).getByText('rm two', { exact: true }).first().waitFor()
      await dock(page)
        .getByRole('button', { name: /^Deny$/ })
        .click()
      await dock(page).getByText('2 of 2').waitFor()
      await transcript(page).getByRole('button', { name: 'Allow', exact: true }).click()
      // The agent ends after the third answer, and unanswered requests lapse.
      await dock(page).getByText('2 of 2').waitFor({ state: 'hidden' })
      await dock(page).getByText('rm three', { exact: true }).first().waitFor()
      await dock(page)
        .getByRole('button', { name: /^Allow/ })
        .click()
      await transcript(page).getByText('Well.').waitFor()
      const { approvals } = await room.client.call('listApprovals', {
        params: { session },
        query: { all: '1' },
      })
      assert.deepEqual(
        approvals.map(({ input, status }) => [(input as { readonly command: string }).command, status]),
        [
          ['rm one', 'granted'],
          ['rm two', 'denied'],
          ['rm three', 'granted'],
        ],
      )
    },
  },
  'a long command can be read to its end, and names of any length leave space for the answers': {
    pace: '0',
    async play(room) {
      const command = [...Array.from({ length: 200 }, (_, at) => `echo ${at}`), 'rm -rf important'].join('\n')
      const asked: readonly Step[] = [
        askToRun(command),
        askFor(`mcp__${'calendar_'.repeat(24)}create`, { title: 'Tea' }),
        askFor('Plan', { [`key_${'very_'.repeat(40)}long`]: 'a value that must stay readable' }),
      ]
      for (const size of [laptop, phone])
        for (const [at, step] of asked.entries()) {
          const session = await scriptedSession(room, [step])
          const page = await room.open(`/s/${session}`, { viewport: size })
          await sendPrompt(page, 'go on')
          const allow = dock(page).getByRole('button', { name: /^Allow/ })
          await allow.waitFor()
          if (at === 0) await dock(page).getByText('201 lines. Scroll to read all of them.').waitFor()
          const notified = await dock(page).evaluate(lookAtDock)
          assert.deepEqual(
            { at, ...size, ...notified },
            { at, ...size, isWide: false, isLong: false, isSquashed: false },
          )
          const box = await allow.boundingBox()
          assert.ok(box !== null && box.y + box.height < size.height, 'Allow is in sight')
          await page.close()
        }
    },
  },
  'a large edit cannot be allowed before its changes are shown, and the page explains why': {
    pace: '0',
    async play(room) {
      const lines = Array.from({ length: 300 }, (_, at) => `line ${at}`)
      const [old_string, new_string] = [lines.join('\n'), lines.with(9, 'a changed line').join('\n')]
      const edit = askFor('Edit', { file_path: '/w/large.txt', old_string, new_string })
      const session = await scriptedSession(room, [edit, words('Edited.')])
      const page = await openSession(room, session)
      await page.evaluate(holdWorkers)
      await sendPrompt(page, 'edit')
      const button = (name: RegExp) => dock(page).getByRole('button', { name })
      await dock(page).getByText('Comparing…').waitFor()
      await dock(page).getByText('You can allow this edit after its changes are shown.').waitFor()
      await button(/^Deny$/)
        .and(page.locator(':enabled'))
        .waitFor()
      await dock(page).focus()
      await page.keyboard.press('y')
      assert.deepEqual(
        [await button(/^Allow/).isDisabled(), await button(/^Always/).isDisabled()],
        [true, true],
      )
      await page.evaluate(() => window.dispatchEvent(new Event('release-workers')))
      await dock(page).locator('ins').getByText('a changed line').waitFor()
      await button(/^Allow/).click()
      await transcript(page).getByText('Edited.').waitFor()
    },
  },
  'a hidden tab counts the waiting sessions in its title, and sends one notification for a new one': {
    pace: '0',
    async play(room) {
      const session = await scriptedSession(room, [askToRun('rm -r build')])
      const page = await room.open('/', { permissions: ['notifications'] })
      await page.getByRole('navigation', { name: 'Sessions' }).waitFor()
      await page.evaluate(hideAndListen)
      await room.client.call('prompt', { params: { session }, body: { text: 'clean up the yard' } })
      await page.waitForFunction(() => document.title.startsWith('(1) '))
      const notified = await page.waitForFunction(() => {
        const { notified: all } = globalThis as unknown as { readonly notified: readonly string[] }
        return all.length > 0 && all
      })
      assert.deepEqual(await notified.jsonValue(), [
        'clean up the yard: The agent is waiting for your answer.',
      ])
      await page.getByRole('navigation', { name: 'Sessions' }).getByText('clean up the yard').click()
      await dock(page)
        .getByRole('button', { name: /^Allow/ })
        .click()
      await page.waitForFunction(() => !document.title.startsWith('('))
      await messageBox(page).waitFor()
    },
  },
}
