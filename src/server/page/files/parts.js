/** Makes an element that holds text and other elements. What comes from agents is only ever text. */
export function element(tag, className, ...children) {
  const made = document.createElement(tag)
  if (className) made.className = className
  made.append(...children)
  return made
}

/** A message as people read it. */
export function showMessage(message) {
  const shown = message.parts.map(showPart).filter(part => part !== null)
  return element('article', message.role, ...shown)
}

function showPart(part) {
  if (part.type === 'text') return element('div', 'words', part.text)
  if (part.type === 'reasoning') return element('div', 'words thinking', part.text)
  if (part.type === 'dynamic-tool') return showCall(part)
  if (part.type === 'file') return element('small', '', `${part.filename ?? 'A file'} (${part.mediaType})`)
  if (part.type === 'data-notice' || part.type === 'data-todos' || part.type === 'data-subagent')
    return element('pre', '', `${part.type.slice(5)} ${textOf(part.data)}`)
  return null
}

const states = {
  'input-streaming': 'being written',
  'input-available': 'runs',
  'approval-requested': 'asks',
  'approval-responded': 'answered',
  'output-available': 'done',
  'output-error': 'failed',
  'output-denied': 'denied',
}

function showCall({ toolCallId, toolName, state, input, output, errorText }) {
  const call = element('details', '', element('summary', '', `${toolName} · ${states[state] ?? state}`))
  call.dataset.call = toolCallId
  if (input !== undefined) call.append(element('pre', '', textOf(input)))
  if (output !== undefined) call.append(element('pre', '', textOf(output)))
  if (errorText !== undefined) call.append(element('pre', '', errorText))
  return call
}

/** A question with the ways to answer it. */
export function showApproval(approval, answer) {
  const button = (label, body) => {
    const made = element('button', '', label)
    made.type = 'button'
    made.addEventListener('click', () => answer(approval.id, body))
    return made
  }
  return element(
    'div',
    'approval',
    element('strong', '', `May the agent use ${approval.tool || 'a tool'}?`),
    element('pre', '', textOf(approval.input)),
    button('Allow', { approved: true }),
    ' ',
    button('Always allow this here', { approved: true, always: true }),
    ' ',
    button('Deny', { approved: false }),
  )
}

const textOf = value => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
