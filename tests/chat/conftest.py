from chat_fakes import chat, shop

__all__ = ["chat", "shop"]
