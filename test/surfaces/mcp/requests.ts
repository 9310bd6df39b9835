/** What somebody says, in plain words, and the tool that it should lead to. */
export interface SpokenRequest {
  readonly says: string;
  readonly tool: string;
}

const asking = (tool: string, ...said: readonly string[]): SpokenRequest[] =>
  said.map((says) => ({ says, tool }));

/**
 * Requests as people put them to an agent. They were written before any description was held against them, and a request is
 * never changed to suit one.
 */
export const spokenRequests: readonly SpokenRequest[] = [
  ...asking(
    "recall_context",
    "What do you know about our deployment process?",
    "Have we talked about Maria's dietary preferences before?",
    "Before you start, check what we already know about the billing service.",
    "How did we fix the login timeout last month?",
    "Which editor do I prefer?",
    "Catch up on our earlier conversations about the migration.",
  ),
  ...asking(
    "search_memories",
    "Search my memories for everything that mentions Kubernetes.",
    "Find the note about the staging servers, I want to edit it.",
    "Look up which memories match 'invoice numbering', with their scores.",
  ),
  ...asking(
    "list_memories",
    "Show me the most recent things you stored.",
    "List all memories under the path projects/apollo.",
    "Page through everything you have saved, newest first.",
  ),
  ...asking(
    "get_memory",
    "Open memory m-4711 and show me the whole text.",
    "Read me the full details of the memory with this id.",
  ),
  ...asking(
    "remember",
    "Remember that our production database runs on port 5433.",
    "Save this for later: the customer prefers email over phone.",
    "Keep in mind that I am allergic to peanuts.",
    "Note down how we solved the memory leak so that others can use it.",
    "Remind me on Friday to call the tax advisor.",
  ),
  ...asking(
    "update_memory",
    "The port in that memory is wrong, change it to 5434.",
    "Correct what you stored about Anna's job title.",
    "Add a tag to the metadata of that memory.",
  ),
  ...asking(
    "forget_memory",
    "Forget what I told you about my salary.",
    "Delete the memory about the old office address.",
    "Erase that note permanently, it contains private data.",
  ),
  ...asking(
    "restore_memory",
    "Bring back the memory I deleted by mistake.",
    "Undo that forgetting, I still need it.",
  ),
  ...asking(
    "complete_reminder",
    "I have paid the rent, tick off the reminder.",
    "Mark the dentist reminder as done.",
  ),
  ...asking(
    "get_profile",
    "Who am I, and how do I like you to work?",
    "Tell me everything you know about me as a person.",
  ),
  ...asking(
    "project_context",
    "What is the current state of the apollo project?",
    "Give me an overview of what is going on in this project.",
    "I am new to this project, brief me on what matters right now.",
  ),
  ...asking(
    "todo_create",
    "Add a task to write the release notes.",
    "Put 'renew the certificates' on the todo list with high priority.",
    "We need a new to-do for fixing the flaky test.",
  ),
  ...asking(
    "todo_list",
    "What tasks are still open?",
    "Show me the todo list of the project.",
    "Which todos are overdue or blocked?",
  ),
  ...asking(
    "todo_update",
    "Change the due date of the task to next Monday.",
    "Raise the priority of that todo.",
  ),
  ...asking(
    "todo_accept",
    "I'll take the task about the login page.",
    "Start working on that todo, claim it for yourself.",
  ),
  ...asking("todo_assign", "Give this task to the testing agent.", "Assign the deployment todo to agent-b."),
  ...asking(
    "todo_block",
    "We can't continue with this task until legal answers, mark it as blocked.",
    "This todo is stuck waiting for the vendor.",
  ),
  ...asking("todo_unblock", "Legal has answered, so the task can go on."),
  ...asking("todo_complete", "The release notes are written, close that task.", "Mark the todo as finished."),
  ...asking(
    "todo_cancel",
    "We don't need that task any more, drop it.",
    "Cancel the todo about the old API.",
  ),
  ...asking(
    "decision_create",
    "We have to decide between Postgres and MySQL, put that up for decision.",
    "Propose a decision about the naming of branches.",
  ),
  ...asking("decision_list", "Which decisions have been made in this project?"),
  ...asking("decision_update", "Fix the wording of that decision and add an option."),
  ...asking("decision_resolve", "We agreed on Postgres, record that as the outcome of the open decision."),
  ...asking(
    "decision_supersede",
    "We changed our mind about MySQL: replace the earlier decision with a new one.",
  ),
  ...asking("decision_reopen", "Open the caching decision again, we want to discuss it once more."),
  ...asking("maintenance_report", "Which memories in this project are stale or duplicates?"),
  ...asking("maintenance_execute", "Clean up the project: merge the duplicates and archive what is old."),
];

/**
 * One more for each tool, written at the same time and looked at once the descriptions were done: what these say of
 * requests that nobody had in mind.
 */
export const unseenRequests: readonly SpokenRequest[] = [
  ...asking("recall_context", "Is there anything on file about how Tom likes his reports?"),
  ...asking("search_memories", "Hunt for any memory containing the word Redis."),
  ...asking("list_memories", "What is stored in the folder notes/travel?"),
  ...asking("get_memory", "Print the complete content of memory 8f3a."),
  ...asking("remember", "Please memorize that our fiscal year starts in April."),
  ...asking("update_memory", "That entry is out of date, replace its text."),
  ...asking("forget_memory", "Remove what you saved about my former colleague."),
  ...asking("restore_memory", "I removed a memory by accident, recover it."),
  ...asking("complete_reminder", "I called the tax advisor, so that reminder is settled."),
  ...asking("get_profile", "Load my standing instructions and preferences."),
  ...asking("project_context", "Where do we stand in project hermes?"),
  ...asking("todo_create", "Create a todo: book the venue."),
  ...asking("todo_list", "What is there left to do?"),
  ...asking("todo_update", "Postpone the deadline of the todo by one week."),
  ...asking("todo_accept", "Take over this todo yourself."),
  ...asking("todo_assign", "Hand the todo over to the reviewer agent."),
  ...asking("todo_block", "The todo cannot proceed because the API key is missing."),
  ...asking("todo_unblock", "The API key arrived, the blocked todo can continue."),
  ...asking("todo_complete", "The venue is booked, check off the todo."),
  ...asking("todo_cancel", "Scrap the todo about the venue, the event is off."),
  ...asking("decision_create", "Let's put the choice of a cloud provider to the team."),
  ...asking("decision_list", "Show all decisions that are still pending."),
  ...asking("decision_update", "Edit the options of the pending decision."),
  ...asking("decision_resolve", "The team chose AWS, settle the decision."),
  ...asking("decision_supersede", "AWS is too expensive: overturn that decision in favour of Hetzner."),
  ...asking("decision_reopen", "Reconsider the decision that we already settled."),
  ...asking("maintenance_report", "How much clutter is in the project's memory?"),
  ...asking("maintenance_execute", "Tidy up, remove expired memories of the project."),
];

/**
 * More of them, written by somebody who knew the tools, after all descriptions were done: no description was held against
 * one of them alone, and none is ever changed for one.
 */
export const heldOutRequests: readonly SpokenRequest[] = [
  ...asking(
    "recall_context",
    "What did Julia tell us about her timezone?",
    "Do we already have an agreement with the printing company?",
    "How do I usually want my emails signed?",
    "Tell me what you remember about the outage in spring.",
  ),
  ...asking(
    "search_memories",
    "Which memories contain the word 'certificate'?",
    "Search for notes that mention Vienna.",
  ),
  ...asking("list_memories", "Show the last twenty memories.", "List everything in the bucket work."),
  ...asking("get_memory", "Show me memory mem-22 in full.", "Fetch the memory with the id 0190-ab."),
  ...asking(
    "remember",
    "Store the fact that the office closes at six.",
    "Make a note: the demo account is called blue-team.",
    "Remember for next time that I like short answers.",
    "Save the lesson that we learned from this bug.",
  ),
  ...asking(
    "update_memory",
    "Edit the memory about the gym: it opens at seven now.",
    "Update that note with the new phone number.",
  ),
  ...asking("forget_memory", "Please delete that memory.", "Forget the thing about my birthday."),
  ...asking("restore_memory", "Restore the memory that was deleted yesterday."),
  ...asking("complete_reminder", "The reminder about the passport is done."),
  ...asking("project_context", "How is project atlas going?", "Summarize the project for me before I begin."),
  ...asking(
    "todo_create",
    "Create a task for updating the firewall rules.",
    "Add 'order new chairs' to the tasks.",
  ),
  ...asking("todo_list", "Which tasks do we have in this project?", "List the todos assigned to me."),
  ...asking("todo_update", "Set the priority of this task to urgent."),
  ...asking("todo_accept", "I accept the task about the backup."),
  ...asking("todo_assign", "Let the design agent do this todo."),
  ...asking("todo_block", "Mark the migration task as blocked, the disk is full."),
  ...asking("todo_unblock", "The disk has been replaced, unblock the migration task."),
  ...asking("todo_complete", "I finished the task about the firewall.", "That todo is done."),
  ...asking("todo_cancel", "Cancel the task about the chairs."),
  ...asking("decision_create", "We need a decision on which framework to use."),
  ...asking("decision_list", "List the decisions of project atlas."),
  ...asking("decision_update", "Change the impact of this decision to high."),
  ...asking("decision_resolve", "Resolve the framework decision: we take Svelte."),
  ...asking("decision_supersede", "The Svelte decision no longer holds, a new one takes its place."),
  ...asking("decision_reopen", "Reopen the framework decision."),
  ...asking("maintenance_report", "Is there anything outdated or redundant stored in this project?"),
  ...asking("maintenance_execute", "Run the maintenance of the project now."),
];
