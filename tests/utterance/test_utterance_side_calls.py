"""A program that asks for itself: told by what its prompt says first and by the form of its text."""

import pytest
from bodies import assistant, of, system, user

from turnout.model.utterance import utterance

WORDS = "refund invoice 42"

SIDE_PROMPTS = [
    "You are a title generator for chats.",
    "You write short titles. Output only the title.",
    "Make up a brief title for the conversation below.",
    "Your task is to give a headline to this thread.",
    "- you will write a title for the first message of a user\n- at most five words",
    "You are an assistant that\n    summarises conversations for later use.",
    "Name this chat in at most four words.",
    "You are an intent classifier. The labels are: order, complaint.",
    "Classify the user's message as order or complaint.",
    "Decide whether the last message is off topic.",
    "Detect the language of the user's message.",
    "Reformulate the latest question as a standalone question.",
    "You now work as the memory extraction sub-agent.",
    "You are the summarizer in a pipeline.",
    "You write commit messages for staged changes.",
    "As a parser, your job is to extract the fields from a letter.",
    "Extract all promises that were made in the conversation.",
    "You give suggestions for the user's next message. Reply only with one label.",
    "Be exact. Answer only yes or no.",
    "Be exact. Return only valid JSON.",
    "You are helpful. Reply in JSON.",
    "Your input fields are: a. Your output fields are: b.",
    "请为这段对话生成一个标题",
    "会話の要約を書いてください",
    "Erfinde einen Titel für diesen Chat.",
    "Donne un titre court à cette conversation.",
]

ORDINARY_PROMPTS = [
    "",
    "Be brief.",
    "You are a helpful assistant.",
    "You are the assistant of a garage; help customers with invoices, payments and refunds.",
    "Always answer the user's question in the language of the user.",
    "You are a sales assistant that offers product suggestions based on the user's request.",
    "You keep our address book: create contacts, set titles and labels.",
    "You lead a team; hand tasks to sub-agents where that helps.",
    "Work out what the user needs, use the tools, and say what you did.",
    "You are an accounting bot. Only answer questions about invoices.",
    "You can schedule meetings, send invitations and write summaries of meetings.",
    "Reply in the thread. Just the facts, no chatter, and only use the tools that you know.",
    "Du bist ein freundlicher Helfer der Buchhaltung.",
    "你是一个乐于助人的助手。",
    "You run a workshop.\n" + "Some tools return JSON. Only the owner may delete. " * 100,
]


@pytest.mark.parametrize("prompt", SIDE_PROMPTS)
def test_the_prompt_of_a_side_call_is_known_by_what_it_asks_for(prompt: str) -> None:
    for body in (
        of(system(prompt), user(WORDS)),
        of(user(WORDS), system(prompt)),
        of(user(WORDS), assistant("x"), user("and 43"), system(prompt)),
    ):
        read = utterance(body)
        assert (read.kind, read.text) == ("side_call", ""), prompt


@pytest.mark.parametrize("prompt", ORDINARY_PROMPTS)
def test_ordinary_prompts_do_not_hide_a_request(prompt: str) -> None:
    assert utterance(of(system(prompt), user(WORDS))).text == WORDS


def test_a_first_user_message_that_is_a_prompt_counts_as_one() -> None:
    turns = assistant("Understood."), user(WORDS)
    assert utterance(of(user("You are a title generator for chats."), *turns)).kind == "side_call"
    assert utterance(of(user("You are a helpful assistant."), *turns)).kind == "request"


SIDE_TEXTS = [
    f"Make up a title for this conversation:\n{WORDS}",
    f"Please write a short summary of the following request:\n\n{WORDS}",
    f"Summarize the conversation so far.\n{WORDS}",
    f"Given the chat history, rewrite the last question.\n{WORDS}",
    f"Based on this message, name a topic: {WORDS}",
    f"Consider the conversation above and pick who speaks next. {WORDS}",
    f"What is the tone of the following message? {WORDS}",
    f"Is the following message rude? {WORDS}",
    f"Give the sentiment of: {WORDS}",
    f"Translate the following text: {WORDS}",
    f"Check whether this message holds a threat: {WORDS}",
    "Suggest three things that the user might ask now.",
    "Write all that is needed for continuing this conversation later.",
    "This session continued from an earlier session; its summary follows.",
    "Do a context compaction now.",
    "Analyze only the form of your own last response.",
    f"You are a polite bot.\n\n{WORDS}",
    f"Your task is to label things.\n{WORDS}",
    f"[SUGGESTION MODE: say what could come next] {WORDS}",
    f"[[ ## question ## ]]\n{WORDS}\n\n[[ ## completed ## ]]",
    f"User: {WORDS}\nAssistant: done\nUser: thanks",
    f"# USER\n{WORDS}\n# ASSISTANT\ndone",
    f"Pick a label.\nUser message: {WORDS}",
    f"Pick a label. User query: {WORDS}",
    f"Use the notes.\n\nQuestion: {WORDS}",
    f"Context:\n{WORDS}\n\nwhat now?",
    f"Search results for garages:\n{WORDS}\n\nwhat now?",
    f"# Task\nfind the label\n# Output\nthe label\n{WORDS}",
    f"{WORDS}\nBest label:",
    f"{WORDS}\n\nReply with a JSON object.",
    f"{WORDS} as a JSON object",
]

ORDINARY_TEXTS = [
    WORDS,
    "Summarize invoice 42",
    "Create a title for invoice 42",
    "Send the following message to Bob: we are late",
    "I get validation errors when I create an invoice",
    "Create an order\ncustomer: Acme\nmodel: X200",
    "Note for the file:\nCustomer is angry",
    "rename <old> to <new>",
    "Is 3 < 4 and 5 > 2?",
    "Fix this:\n<div>hello <b>you</b></div>",
    "see <x>y</x> there",
    "show all logs with error code 500",
    "[urgent] refund invoice 42",
    "# Order\n3 tyres",
    "Rechnung für Acme anlegen",
    "列出我的未付发票",
    'Write "hello" to Bob',
    "Query: which invoices are open",
    "give me everything as json",
    "Review invoice 7",
    "This is due:\nit is late",
    "BEGIN the START of the END",
]


@pytest.mark.parametrize("text", SIDE_TEXTS)
def test_a_text_in_the_form_of_a_program_is_a_side_call(text: str) -> None:
    for body in (of(user(text)), of(user("hello"), assistant("hello"), user(text))):
        read = utterance(body)
        assert (read.kind, read.text) == ("side_call", ""), text


@pytest.mark.parametrize("text", ORDINARY_TEXTS)
def test_ordinary_texts_are_requests_and_stay_whole(text: str) -> None:
    assert utterance(of(user(text))).text == text
