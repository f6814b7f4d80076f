"""A gateway inside an application that exists already, behind that application's own authentication.

Run it with `uvicorn app:api` in this folder. The gateway answers under /ai/v1; who may ask, and who they are, is
decided by the application.
"""

import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse

import turnout
from turnout.model import User
from turnout.plane import UserIdentityMiddleware

SESSIONS = {"session-of-ada": "ada", "session-of-bob": "bob"}
ORDERS = {"ada": ["bolts", "nuts"], "bob": []}


def who(request: turnout.Request) -> User:
    """The user that the application's own middleware found."""
    scope = request.context.scope or {}
    return User(id=scope.get("state", {}).get("user", ""))


gateway = turnout.App()
gateway.use(UserIdentityMiddleware(who))


@gateway.action(patterns=[r"(show|list) my orders"], template="You ordered: {names}.", read_only=True)
def my_orders(user: User) -> dict[str, str]:
    """List what the signed-in user has ordered."""
    return {"names": ", ".join(ORDERS.get(user.id, [])) or "nothing yet"}


gateway.reason_with(
    turnout.provider(
        "openai-chat",
        base_url=os.environ.get("MODEL_URL", "http://127.0.0.1:9000/v1"),
        api_key=os.environ.get("MODEL_KEY", ""),
    )
)


@asynccontextmanager
async def lifespan(api: FastAPI) -> AsyncGenerator[None]:
    """The gateway's connections live as long as the application."""
    async with gateway:
        yield


api = FastAPI(lifespan=lifespan)
api.mount("/ai", gateway)


@api.middleware("http")
async def authenticate(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    """The application's own authentication: a session token, for every path of the application."""
    token = request.headers.get("authorization", "").removeprefix("Bearer ")
    if token not in SESSIONS:
        return JSONResponse({"error": "sign in first"}, status_code=401)
    request.state.user = SESSIONS[token]
    return await call_next(request)
