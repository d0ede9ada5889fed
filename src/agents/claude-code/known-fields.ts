import { kindsBy, oneKind, shape } from '../kit/known-fields.ts'
import { textOf, type Words } from './messages.ts'

/** What every line may have. */
const all = 'type subtype uuid session_id user_message_uuid user_message_uuids timestamp parent_tool_use_id'
const helper = 'agent_id subagent_type task_description'
const task = `${all} task_id run_id tool_use_id`
const hook = `${all} hook_id hook_name hook_event`
const trouble = 'error api_error api_error_params api_error_status api_error_type'

const call = shape('type id name input caller server_name')
const result = shape('type tool_use_id content is_error cache_control caller')

const blocks = kindsBy('block', ({ type }) => type, {
  text: shape('type text citations cache_control'),
  thinking: shape('type thinking signature estimated_tokens'),
  redacted_thinking: shape('type data'),
  image: shape('type source cache_control'),
  document: shape('type source title context citations cache_control'),
  tool_use: call,
  server_tool_use: call,
  mcp_tool_use: call,
  tool_result: result,
  mcp_tool_result: result,
  web_search_tool_result: result,
  web_fetch_tool_result: result,
})

const message = oneKind(
  'message',
  shape(
    `id type role model content stop_reason stop_sequence stop_details usage container context_management
    diagnostics service_tier`,
    { content: blocks },
  ),
)

const deltas = kindsBy('delta', ({ type }) => type ?? 'message', {
  text_delta: shape('type text'),
  thinking_delta: shape('type thinking estimated_tokens'),
  signature_delta: shape('type signature'),
  citations_delta: shape('type citation'),
  input_json_delta: shape('type partial_json'),
  message: shape('stop_reason stop_sequence stop_details container'),
})

const events = kindsBy('event', ({ type }) => type, {
  content_block_delta: shape('type index delta', { delta: deltas }),
  content_block_start: shape('type index content_block', { content_block: blocks }),
  content_block_stop: shape('type index'),
  message_start: shape('type message', { message }),
  message_delta: shape('type delta usage context_management', { delta: deltas }),
  message_stop: shape('type'),
})

const requests = kindsBy('request', ({ subtype }) => subtype, {
  can_use_tool: shape(
    `subtype tool_name display_name description input permission_suggestions blocked_path decision_reason
    decision_reason_type tool_use_id agent_id requires_user_interaction suppress_always_allow_rule title`,
  ),
  elicitation: shape('subtype mcp_server_name message mode url elicitation_id requested_schema title'),
})

const timing = `duration_ms duration_api_ms ttft_ms ttft_stream_ms time_to_request_ms request_sent_wall_ms
  first_content_frame_ms first_stream_post_ms first_stream_post_ack_ms first_stream_post_queue_wait_ms
  first_stream_post_queued_behind first_stream_post_wall_ms first_text_post_ms first_text_post_queue_wait_ms
  first_text_post_queued_behind first_text_post_wall_ms time_to_request_from_spawn_ms warm_spare_claimed time_origin_ms
  first_request_cache_read_input_tokens first_request_input_tokens`

const kindOf = ({ type, subtype }: Words) => (type === 'system' ? `system/${textOf(subtype)}` : type)

/** The fields of Claude Code's lines that are known: from recordings of 2.1.273, and the types of its Agent SDK. */
export const lines = kindsBy('', kindOf, {
  assistant: shape(
    `${all} ${helper} ${trouble} message request_id is_api_error_message aborted supersedes context_usage usage_report
    thinking_display thinking_duration_ms tool_use_meta local_command_run local_command_source resume_reason
    resumed_from_incomplete_thinking refused_message_id`,
    { message },
  ),
  user: shape(
    `${all} ${helper} message isReplay isSynthetic tool_use_result tool_result_meta priority origin shouldQuery
    client_composed pasted_content inline_pastes file_attachments refused_message_id`,
    { message },
  ),
  stream_event: shape(
    `${all} event ttft_ms abandoned_blocks api_message_id owed_rows thinking_display resume_reason`,
    {
      event: events,
    },
  ),
  result: shape(
    `${all} ${trouble} ${timing} is_error num_turns result errors stop_reason total_cost_usd usage modelUsage
    model_usage_since_last_result permission_denials queued_turn_count structured_output deferred_tool_use
    terminal_reason result_index credential_expires_at fast_mode_state fast_mode_disabled_reason origin local_command
    safety_stops subagent_stats resume_reason startup_failure_reason invalid_config_file`,
  ),
  control_request: shape('type request_id request', { request: requests }),
  command_lifecycle: shape(`${all} command_uuid state`),
  tool_use_summary: shape(`${all} summary preceding_tool_use_ids`),
  prompt_suggestion: shape(`${all} suggestion`),
  rate_limit_event: shape(`${all} rate_limit_info`),
  auth_status: shape(`${all} isAuthenticating output error`),
  'system/init': shape(
    `${all} additional_directories agents analytics_disabled apiKeySource betas capabilities claude_code_version cwd
    effort fast_mode_disabled_reason fast_mode_state mcp_servers memory_paths messaging_socket_path model original_cwd
    output_style per_turn_effort_active permissionMode plugin_errors plugins product_feedback_disabled skills
    slash_commands terminal_slash_commands tools ultrathink_available ultrathink_typed_raises view_mode`,
  ),
  'system/status': shape(`${all} status permissionMode compact_result compact_error`),
  'system/api_retry': shape(`${all} attempt max_retries retry_delay_ms error_status error no_response`),
  'system/compact_boundary': shape(`${all} compact_metadata logical_parent_uuid`),
  'system/hook_response': shape(`${hook} output stdout stderr exit_code outcome`),
  'system/task_started': shape(
    `${task} description is_backgrounded prompt spawn_depth parent_task_id subagent_type task_type workflow_name
    skip_transcript ambient`,
  ),
  'system/task_progress': shape(`${task} description last_tool_name subagent_type usage summary`),
  'system/task_updated': shape(`${task} patch`),
  'system/task_notification': shape(
    `${task} status reason output_file summary usage resource_links skip_transcript ambient`,
  ),
  'system/informational': shape(`${all} content level tool_use_id prevent_continuation tag`),
  'system/notification': shape(`${all} key text priority color timeout_ms`),
  'system/local_command_output': shape(`${all} content`),
})
