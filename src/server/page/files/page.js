import { element, showApproval, showMessage } from './parts.js'

const at = id => document.getElementById(id)
const sessions = new Map()
let open = null

/** Calls the server; what goes wrong is said on the page. */
async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const reply = await response.json()
  tell(response.ok ? '' : reply.detail)
  if (!response.ok) throw new Error(reply.detail)
  return reply
}

function tell(trouble) {
  at('notice').hidden = trouble === ''
  at('notice').textContent = trouble
}

/** Runs what a person or the server set going. What the page has not told of yet, it tells now. */
const run = work =>
  work().catch(error => {
    if (at('notice').hidden) tell(`The server cannot be reached: ${error.message}`)
  })

function showSessions() {
  const all = [...sessions.values()].filter(each => !each.deleted && !each.archived)
  all.sort((one, other) => other.createdAt - one.createdAt)
  at('empty').hidden = all.length > 0
  at('sessions').replaceChildren(...all.map(showInList))
  const current = open && sessions.get(open.id)
  if (!current) return
  at('title').textContent = current.title ?? current.id
  at('status').textContent = current.status
  at('stop').hidden = current.running === null
  showHandover(current.handedOver)
}

/** Says how the agent came to know what was said before it, unless its own session simply goes on. */
function showHandover(handover) {
  const { agent, how, transcript } = handover ?? {}
  const left = transcript?.omitted ? `, ${transcript.omitted} before that left out` : ''
  const told =
    transcript && `${agent} was told the conversation so far: ${transcript.messages} messages${left}.`
  const text = how === 'forked' ? `${agent} goes on with a copy of its own session.` : (told ?? '')
  at('handover').hidden = text === ''
  at('handover').textContent = text
}

function showInList({ id, title, status, agent, cwd }) {
  const button = element('button', '', title ?? id, element('small', '', `${status} · ${agent} · ${cwd}`))
  button.type = 'button'
  if (open?.id === id) button.setAttribute('aria-current', 'true')
  button.addEventListener('click', () => openSession(id))
  return element('li', '', button)
}

/** Shows a session and follows it: each entry that comes is a reason to look again, a few times a second at most. */
function openSession(id) {
  open?.source.close()
  const source = new EventSource(`/api/sessions/${id}/entries?after=${sessions.get(id)?.seq ?? 0}`)
  open = { id, source }
  location.hash = id
  at('prompt').hidden = false
  at('messages').replaceChildren(element('p', 'hint', 'Reading …'))
  at('approvals').replaceChildren()
  const look = createLook(id)
  for (const name of ['message', 'reset', 'open']) source.addEventListener(name, look)
  source.addEventListener('gone', () => {
    source.close()
    at('messages').replaceChildren(element('p', 'hint', 'This session is gone.'))
  })
  showSessions()
  look()
  at('text').focus()
}

function createLook(id) {
  let isLooking = false
  let again = false
  return function look() {
    again = isLooking
    if (isLooking) return
    isLooking = true
    void run(() => showSnapshot(id)).then(() =>
      setTimeout(() => {
        isLooking = false
        if (again && open.id === id) look()
      }, 200),
    )
  }
}

async function showSnapshot(id) {
  const snapshot = await call('GET', `/api/sessions/${id}/snapshot?limit=100`)
  if (open.id !== id) return
  sessions.set(id, snapshot.session)
  showSessions()
  showMessages(snapshot.messages)
  const pending = snapshot.approvals.filter(({ status }) => status === 'pending')
  const answer = (approval, body) =>
    run(() => call('POST', `/api/sessions/${id}/approvals/${encodeURIComponent(approval)}`, body))
  at('approvals').replaceChildren(...pending.map(each => showApproval(each, answer)))
}

/** What the person unfolded stays so, and so does the end when it was in sight. */
function showMessages(messages) {
  const box = at('messages')
  const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 80
  const unfolded = new Set([...box.querySelectorAll('details[open]')].map(({ dataset }) => dataset.call))
  const shown = messages.map(({ message }) => showMessage(message))
  box.replaceChildren(...(shown.length > 0 ? shown : [element('p', 'hint', 'Nothing was said yet.')]))
  for (const details of box.querySelectorAll('details')) details.open = unfolded.has(details.dataset.call)
  if (isAtEnd) box.scrollTop = box.scrollHeight
}

async function createSession() {
  const cwd = at('cwd').value.trim()
  const created = await call('POST', '/api/sessions', { agent: at('agent').value, ...(cwd && { cwd }) })
  sessions.set(created.id, created)
  openSession(created.id)
}

async function sendPrompt() {
  const form = at('prompt')
  // The same id until it arrived: sent twice, it runs once.
  form.dataset.id ||= crypto.randomUUID()
  const text = at('text').value
  await call('POST', `/api/sessions/${open.id}/prompts`, { id: form.dataset.id, text })
  at('text').value = ''
  form.dataset.id = ''
}

function onSubmit(id, work) {
  at(id).addEventListener('submit', event => {
    event.preventDefault()
    void run(work)
  })
}

async function listSessions() {
  const page = await call('GET', '/api/sessions?limit=200')
  for (const session of page.sessions) sessions.set(session.id, session)
  showSessions()
}

function watchSessions() {
  const source = new EventSource('/api/live/sessions')
  source.addEventListener('open', () => run(listSessions))
  source.addEventListener('session', ({ data }) => {
    const { session } = JSON.parse(data)
    sessions.set(session.id, session)
    showSessions()
  })
}

async function start() {
  const { agents } = await call('GET', '/api/agents')
  for (const { name, title, status, default: isDefault } of agents) {
    const option = element('option', '', status === 'ready' ? title : `${title} (${status})`)
    option.value = name
    option.selected = isDefault
    at('agent').append(option)
  }
  await listSessions()
  watchSessions()
  const wanted = location.hash.slice(1)
  if (sessions.has(wanted)) openSession(wanted)
}

onSubmit('create', createSession)
onSubmit('prompt', sendPrompt)
at('stop').addEventListener('click', () => run(() => call('POST', `/api/sessions/${open.id}/interrupt`)))
at('text').addEventListener('keydown', event => {
  if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) at('prompt').requestSubmit()
})
void run(start)
