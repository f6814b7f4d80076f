"""The control plane: a chain of steps that decides who answers a request.

The usual chain is `ControlPlane([Interception(classifier, engine, synthesizer), Reasoning(provider)])`: the
application's own actions answer what they can, the provider answers the rest. Functions, sync or async, are accepted
wherever a component with one method is asked for.
"""

from .chain import ControlPlane
from .composite import CompositeClassifier
from .confirmation import Phrases
from .descriptors import action_descriptors, with_action_descriptors
from .fitness import LONGEST_UTTERANCE
from .identities import (
    DEFAULT_AGENT_IDENTITY_HEADER,
    DEFAULT_USER_IDENTITY_HEADER,
    AgentIdentityMiddleware,
    HeaderIdentity,
    Identity,
    UserIdentityMiddleware,
    agent,
    agent_header,
    identity,
    user,
    user_header,
    with_identity,
)
from .interception import Explanation, Interception, OnDecision, Turn
from .middleware import step
from .reasoning import Reasoning, reason_with
from .shadow import Record, Shadow, Shadowed, append_to

__all__ = [
    "DEFAULT_AGENT_IDENTITY_HEADER",
    "DEFAULT_USER_IDENTITY_HEADER",
    "LONGEST_UTTERANCE",
    "AgentIdentityMiddleware",
    "CompositeClassifier",
    "ControlPlane",
    "Explanation",
    "HeaderIdentity",
    "Identity",
    "Interception",
    "OnDecision",
    "Phrases",
    "Reasoning",
    "Record",
    "Shadow",
    "Shadowed",
    "Turn",
    "UserIdentityMiddleware",
    "action_descriptors",
    "agent",
    "agent_header",
    "append_to",
    "identity",
    "reason_with",
    "step",
    "user",
    "user_header",
    "with_action_descriptors",
    "with_identity",
]
